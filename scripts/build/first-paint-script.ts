/** The chunks that something needs beyond the entry's own, as addresses. */
export type ChunkLists = Record<string, string[]>;

/**
 * The one inline script, the same on every page, which knows it by its hash. It stands in the head and runs before the
 * first paint: it picks the reader's language as the app does (stored choice, browser, English), says whether the
 * prerendered screen is the one that was asked for, and asks for the chunks that the screen will want, behind what the
 * page itself needs, and for the server data that it shows a visitor. Until the app is here it keeps a form from leaving
 * the page, and remembers what was last touched: of a press that the app interrupts there will be no click.
 */
export function firstPaintScript({
  screens,
  languages,
  screenTexts,
  data,
}: {
  /** By address; `/posts/*` stands for every address below `/posts/`. */
  screens: ChunkLists;
  /** The texts that every page reads in each language, and those that the other screens read as well. */
  languages: ChunkLists;
  screenTexts: ChunkLists;
  /** What the API is asked for first by a visitor at an address without a query. */
  data: Record<string, string>;
}): string {
  return `(function(){
var root=document.documentElement,path=location.pathname,title=document.querySelector("title"),stored=null,token=null;
try{stored=localStorage.getItem("i18nextLng");token=localStorage.getItem("token")}catch(e){}
var languages=${JSON.stringify(languages)},screens=${JSON.stringify(screens)};
var wanted=[stored].concat(navigator.languages||[navigator.language]).map(function(code){return String(code).split("-")[0]});
var language=wanted.find(function(code){return languages[code]})||"en";
root.lang=language;
var isHere=root.dataset.page===path;
document.title=isHere?title.dataset[language]:"Patikana";
if(!isHere||token&&path!=="/")root.removeAttribute("data-page");
if(token)root.setAttribute("data-signed-in","");

function ask(attributes){
var link=document.createElement("link");
for(var name in attributes)link.setAttribute(name,attributes[name]);
document.head.appendChild(link)}
languages[language].concat(path==="/"?[]:(${JSON.stringify(screenTexts)})[language],screens[path.replace(/^(\\/[^/]+\\/).+/,"$1*")]||[]).forEach(function(file){
ask({rel:"modulepreload",fetchpriority:"low",href:file})});
var data=(${JSON.stringify(data)})[path];
if(data&&!token&&!location.search)ask({rel:"preload",as:"fetch",crossorigin:"anonymous",href:data});

addEventListener("submit",function(event){if(event.target.closest("[data-prerendered]"))event.preventDefault()});
function touch(event){
var control=event.target.closest("[data-prerendered] a,[data-prerendered] button");
if(!control)return;
if(event.type==="click"&&control.localName==="button")event.preventDefault();
document.querySelectorAll("[data-touched]").forEach(function(last){last.removeAttribute("data-touched")});
control.setAttribute("data-touched","")}
addEventListener("mousedown",touch);
addEventListener("click",touch)
})()`.replaceAll('\n', '');
}

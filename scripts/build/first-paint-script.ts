import { FIRST_POSTS_COME } from '#contract/first-posts.ts';
import { FALLBACK_LANGUAGE } from '#contract/language.ts';

/** What the script has to know; files are given by their addresses. */
export type FirstPaint = {
  /** The app's own module, then what it imports. */
  entry: string[];
  /** By address, as the routes have it (`/posts/:id`), the files beyond the entry's own and the namespaces of the texts. */
  screens: Record<string, { code: string[]; texts: readonly string[] }>;
  /** By language, the file of each namespace. Every page reads `common`, which comes first. */
  texts: Record<string, Record<string, string>>;
  /** What the API is asked for first by a visitor at an address without a query, unless it comes with the page. */
  data: Record<string, string>;
};

/** What a browser tells of a connection, in steps of 25 ms; a phone on 4G without a history of its own says 175. */
const FAST_RTT_MS = 150;
/** Once, and not again and again where the app cannot be had at all. */
const TRY_AGAIN_AFTER_MS = 60_000;

/**
 * The one inline script, the same on every page, which knows it by its hash. It stands in the head and runs before the
 * first paint: it picks the reader's language as the app does (stored choice, browser, English), says whether the
 * prerendered screen is the one that was asked for, and brings the app with the chunks and the server data that the
 * screen will want. Until the app is here it keeps a form from leaving the page, has its button say that it is on its
 * way, and remembers what was last touched: of a press that the app interrupts there will be no click.
 *
 * Over a slow connection all is asked for at once, behind what the page itself needs. Over a fast one it would be here
 * before the first paint, which would then wait until all of it has run: there the paint goes first. Where the app does
 * not arrive the page is loaded once more, as soon as there is a network: its buttons would do nothing for ever.
 *
 * The first Intl.RelativeTimeFormat of a page takes Chromium 20 ms and more, four times that on a cheap phone. Where the
 * page has posts, whose ages the app will format, one is made while the app is still loading.
 */
export function firstPaintScript({ entry, screens, texts, data }: FirstPaint): string {
  const { files, languages, filesOf } = numberFiles(screens, texts);
  return `(function(){
var root=document.documentElement,path=location.pathname,title=document.querySelector("title"),stored=null,token=null;
try{stored=localStorage.getItem("i18nextLng");token=localStorage.getItem("token")}catch(e){}
var entry=${JSON.stringify(entry)},languages=${JSON.stringify(languages)},files=${JSON.stringify(files)},screens=${JSON.stringify(filesOf)};
var wanted=[stored].concat(navigator.languages||[navigator.language]).map(function(code){return String(code).split("-")[0]});
var language=wanted.find(function(code){return languages[code]})||${JSON.stringify(FALLBACK_LANGUAGE)};
root.lang=language;
var isHere=root.dataset.page===path;
document.title=isHere?title.dataset[language]:"Patikana";
if(!isHere||token&&path!=="/")root.removeAttribute("data-page");
if(token)root.setAttribute("data-signed-in","");

function add(tag,attributes){
var element=document.createElement(tag);
for(var name in attributes)element.setAttribute(name,attributes[name]);
return document.head.appendChild(element)}
function ask(){
var own=screens[Object.keys(screens).find(function(known){return new RegExp("^"+known.replace(/:\\w+/g,"[^/]+")+"$").test(path)})]||[];
files=languages[language].concat(files);
entry.concat([0].concat(own).map(function(at){return files[at]})).forEach(function(file){
add("link",{rel:"modulepreload",crossorigin:"",fetchpriority:"low",href:file})});
var data=(${JSON.stringify(data)})[path];
if(data&&!token&&!location.search&&!root.hasAttribute(${JSON.stringify(FIRST_POSTS_COME)}))add("link",{rel:"preload",as:"fetch",crossorigin:"anonymous",href:data})}
function tryAgain(){
try{
if(Date.now()-sessionStorage.getItem("triedAgainAt")<${TRY_AGAIN_AFTER_MS})return;
sessionStorage.setItem("triedAgainAt",Date.now());
location.reload()}catch(e){}}
function start(){
add("script",{type:"module",crossorigin:"",src:entry[0]}).onerror=function(){
if(navigator.onLine)tryAgain();else addEventListener("online",tryAgain)}}

var isFast=!document.hidden&&navigator.connection&&navigator.connection.rtt<${FAST_RTT_MS};
if(!isFast)ask();
function afterPaint(run){requestAnimationFrame(function(){setTimeout(run)})}
function onceRead(run){document.addEventListener("DOMContentLoaded",run,{once:true})}
onceRead(isFast?function(){afterPaint(function(){ask();start()})}:start);
if(root.hasAttribute(${JSON.stringify(FIRST_POSTS_COME)}))onceRead(function(){afterPaint(function(){new Intl.RelativeTimeFormat(language)})});

function wait(button){
if(!Array.from(button.form.elements).some(function(field){return field.value}))return;
button.setAttribute("aria-busy","true");
button.setAttribute("aria-disabled","true");
button.lastChild.data=button.dataset.busyLabel}
addEventListener("submit",function(event){if(event.target.closest("[data-prerendered]"))event.preventDefault()});
function touch(event){
var control=event.target.closest("[data-prerendered] a,[data-prerendered] button");
if(!control)return;
if(event.type==="click"&&control.localName==="button"){
event.preventDefault();
if(control.dataset.busyLabel)wait(control)}
document.querySelectorAll("[data-touched]").forEach(function(last){last.removeAttribute("data-touched")});
control.setAttribute("data-touched","")}
addEventListener("mousedown",touch);
addEventListener("click",touch)
})()`.replaceAll('\n', '');
}

/**
 * Many screens load the same files, and a number weighs less in every page than a name: it is the place in the list of
 * the reader's language, which is followed by the list of code.
 */
function numberFiles(screens: FirstPaint['screens'], texts: FirstPaint['texts']) {
  const namespaces = Object.keys(texts[FALLBACK_LANGUAGE] ?? {});
  const files = [...new Set(Object.values(screens).flatMap(({ code }) => code))];
  const filesOf = Object.entries(screens).map(([path, own]) => [
    path,
    [
      ...own.texts.map((namespace) => namespaces.indexOf(namespace)),
      ...own.code.map((file) => namespaces.length + files.indexOf(file)),
    ],
  ]);
  const languages = Object.entries(texts).map(([language, fileOf]) => [language, Object.values(fileOf)]);
  return { files, languages: Object.fromEntries(languages), filesOf: Object.fromEntries(filesOf) };
}

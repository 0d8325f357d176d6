/** For the screens that people open first: the chunks that the entry does not bring. */
export type RouteChunks = Record<string, string[]>;

/**
 * The one inline script. It stands in the head and runs before the first paint: it picks the reader's language as
 * the app does (stored choice, browser, English), says which page this is, so that the prerendered home shows only
 * there, and asks for the chunks that the screen will want. The page's policy knows it by its hash.
 */
export function firstPaintScript({
  titles,
  screens,
  languages,
  screenTexts,
}: {
  /** The title of the home page in each language. */
  titles: Record<string, string>;
  screens: RouteChunks;
  /** The texts that every page reads in each language, and those that the other screens read as well. */
  languages: RouteChunks;
  screenTexts: RouteChunks;
}): string {
  return `(function(){
var root=document.documentElement,home=location.pathname==="/",titles=${JSON.stringify(titles)},stored=null,token=null;
try{stored=localStorage.getItem("i18nextLng");token=localStorage.getItem("token")}catch(e){}
var wanted=[stored].concat(navigator.languages||[navigator.language]).map(function(code){return String(code).split("-")[0]});
var language=wanted.find(function(code){return titles[code]})||"en";
root.lang=language;
if(home)document.title=titles[language];else root.removeAttribute("data-home");
if(token)root.setAttribute("data-signed-in","");

(${JSON.stringify(languages)})[language].concat(home?[]:(${JSON.stringify(screenTexts)})[language],(${JSON.stringify(screens)})[location.pathname]||[]).forEach(function(file){
var link=document.createElement("link");link.rel="modulepreload";link.href=file;document.head.appendChild(link)})
})()`.replaceAll('\n', '');
}

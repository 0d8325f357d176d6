import { FIRST_POSTS_COME } from '#contract/first-posts.ts';
import { FALLBACK_LANGUAGE } from '#contract/language.ts';

/** The data that the build writes into the inline script. Each file is given by its URL path. */
export type FirstPaint = {
  /** The file of the app's entry module, and the files that it imports. */
  entry: string[];
  /**
   * For each route, such as `/posts/:id`: the files of the screen's code, without the files that the entry loads, and
   * the namespaces of the screen's texts.
   */
  screens: Record<string, { code: string[]; texts: readonly string[] }>;
  /** For each language: the file of each namespace. `common` comes first, because every page reads it. */
  texts: Record<string, Record<string, string>>;
  /**
   * For each page, by its path: the first API request of a visitor's browser. The script does not send the request if
   * the page already contains the response, or if the page's URL has a query.
   */
  data: Record<string, string>;
};

/**
 * A connection counts as fast if its round trip is shorter than this. Browsers round the time to multiples of 25 ms; a
 * phone's browser on 4G reports 175 ms.
 */
const FAST_RTT_MS = 150;
/**
 * The page reloads itself at most once in this time. Without a limit it would reload endlessly while the app fails to
 * load.
 */
const TRY_AGAIN_AFTER_MS = 60_000;

/**
 * Returns the only inline script of the app's pages. All pages contain the same script, and their
 * Content-Security-Policy contains its hash. The script starts in the head, before the first paint. The script:
 * - Chooses the language as the app does (stored choice, browser, English).
 * - Marks whether the page's address is the one that the screen was prerendered for.
 * - Preloads the app, the screen's chunks and the screen's server data. On a slow connection the script sends these
 * requests immediately; the page's own files still come first. On a fast connection the script waits for the first
 * paint: loading the app earlier would delay this paint.
 * - Until the app runs, prevents forms from leaving the page, shows a submitted form's button as busy, and records the
 * last pressed control, so that the app can repeat the press.
 * - If the app fails to load, reloads the page as soon as there is a network, because the buttons do nothing without
 * the app.
 * - If the page contains posts, creates an Intl.RelativeTimeFormat while the app loads. The first such object takes
 * Chromium 20 ms or more, and four times as long on a cheap phone.
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
 * Replaces file names by numbers, to keep every page small: many screens load the same files. A number is an index into
 * a list: first the language's files of texts, then the files of code. With 3 files of texts, the number 3 is the first
 * file of code.
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

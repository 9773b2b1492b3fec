// The fixed parts of a drawing's page: styles, controls and the script.
#pragma once

namespace reprise_runtime::diagnose {

// Of the SVG itself. It follows the system's choice of light or dark; the page can override it.
inline constexpr const char* drawing_style = R"css(
#drawing{--back:#fff;--ink:#222;--line:#889;--frame:#00000010;font:12px ui-monospace,monospace}
@media (prefers-color-scheme:dark){#drawing{--back:#16181d;--ink:#e6e6e6;--line:#778;--frame:#ffffff14}}
:root.dark #drawing{--back:#16181d;--ink:#e6e6e6;--line:#778;--frame:#ffffff14}
:root.light #drawing{--back:#fff;--ink:#222;--line:#889;--frame:#00000010}
#drawing{background:var(--back)}
#drawing text{fill:var(--ink)} #drawing .title{font-weight:bold}
.node>rect{fill:#9994;stroke:#999;stroke-width:1}
.node.kernel>rect{fill:#4c9f7044;stroke:#4c9f70}.node.memcpy>rect{fill:#4a7fc144;stroke:#4a7fc1}
.node.memset>rect{fill:#7a6fd044;stroke:#7a6fd0}.node.host>rect{fill:#d0884a44;stroke:#d0884a}
.node.graph>rect,.node.conditional>rect{fill:#c9b23a2a;stroke:#c9b23a}
.node.alloc>rect,.node.free>rect{fill:#c14a7f44;stroke:#c14a7f}.node.event>rect,.node.semaphore>rect{fill:#3aa6b944;stroke:#3aa6b9}
.node.added>rect{fill:#2da44e66;stroke:#2da44e;stroke-width:2}.node.removed>rect{fill:#cf222e55;stroke:#cf222e;stroke-dasharray:5 3}
.node.changed>rect{fill:#d4a72c66;stroke:#d4a72c;stroke-width:2}
.frame{fill:var(--frame);stroke:var(--line);stroke-dasharray:4 3}
.edge{fill:none;stroke:var(--line);stroke-width:1.2} .edge.early{stroke-dasharray:6 4}
.node.critical>rect{stroke:#e0442c;stroke-width:2.2} .edge.critical{stroke:#e0442c;stroke-width:2}
.fold{cursor:pointer} .node.dim>rect,.node.dim>text{opacity:.25} .node.found>rect{stroke:#e8a800;stroke-width:4}
.node.chosen>rect{stroke-width:4}
)css";

inline constexpr const char* drawing_arrow =
    "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" "
    "markerUnits=\"userSpaceOnUse\" "
    "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#889\"/></marker></defs>";

inline constexpr const char* page_style = R"css(
:root{color-scheme:light dark}:root.dark{color-scheme:dark}:root.light{color-scheme:light}
html,body{height:100%;margin:0}body{display:flex;flex-direction:column;font:14px system-ui,sans-serif;background:Canvas;color:CanvasText}
header{display:flex;gap:.8em;align-items:center;padding:.5em 1em;border-bottom:1px solid #8886;flex-wrap:wrap}
header input{padding:.25em .5em;min-width:14em}header button{padding:.2em .6em}
main{flex:1;overflow:hidden;cursor:grab;position:relative}main svg{width:100%;height:100%}
#details{position:fixed;right:1em;bottom:1em;max-width:40em;max-height:50%;overflow:auto;background:Canvas;border:1px solid #8888;border-radius:6px;padding:.6em .9em;white-space:pre-wrap;display:none;font:12px ui-monospace,monospace}
#memory{margin:0;padding:.3em 1em;border-top:1px solid #8886}#memory svg{width:100%;height:48px}#memory polygon{fill:#c14a7f88}
.key{display:inline-block;padding:0 .5em;border-radius:3px;border:1px solid #8886}
)css";

inline constexpr const char* page_controls =
    "<input id=\"search\" placeholder=\"search nodes\" aria-label=\"search nodes\"><span id=\"hits\"></span>"
    "<button id=\"fold\">fold all</button><button id=\"unfold\">unfold all</button><button id=\"fit\">fit</button>"
    "<button id=\"theme\">dark / light</button><span class=\"key\">red outline: critical path; dashed: starts "
    "early</span>";

inline constexpr const char* page_script = R"js(
"use strict";
const svg=document.getElementById("drawing"),view=document.getElementById("view");
const all=[...svg.querySelectorAll("g.node")];
const kids=(e,s)=>[...e.children].filter(c=>c.matches(s));
const num=(e,k)=>parseFloat(e.dataset[k]);
let x=0,y=0,scale=1;
svg.removeAttribute("viewBox");svg.removeAttribute("width");svg.removeAttribute("height");
function show(){view.setAttribute("transform",`translate(${x},${y}) scale(${scale})`)}
function fit(){const b=view.getBBox(),r=svg.getBoundingClientRect();
 scale=Math.min(1.2,r.width/(b.width+40),r.height/(b.height+40))||1;
 x=(r.width-b.width*scale)/2-b.x*scale;y=20-b.y*scale;show()}
function size(node){return node.classList.contains("folded")?num(node,"head"):num(node,"height")}
// Where an edge runs: the same curve as in the drawing.
function pathOf(edge,nodes,rows){const p=edge.dataset.points.trim().split(" ").map(t=>t.split(",").map(Number));
 let at=rows[p[0][1]].top+size(nodes[edge.dataset.from]),d=`M${p[0][0]} ${at}`;
 for(let k=1;k<p.length;++k){const next=rows[p[k][1]].top,m=(at+next)/2;
  d+=`C${p[k-1][0]} ${m} ${p[k][0]} ${m} ${p[k][0]} ${next}`;
  if(k+1<p.length){at=next+rows[p[k][1]].height;d+=`L${p[k][0]} ${at}`}}
 return d}
// Moves the rows of a graph together or apart after a node of it was folded or unfolded, and then those around it.
function arrange(graph){const nodes=kids(graph,"g.node"),rows=[];
 for(const n of nodes){const r=rows[n.dataset.row]??={height:0};r.height=Math.max(r.height,size(n))}
 let top=0;for(const r of rows){r.top=top;top+=r.height+40}
 for(const n of nodes){const t=n.getAttribute("transform").match(/[-\d.]+/g);
  n.setAttribute("transform",`translate(${t[0]},${rows[n.dataset.row].top})`);kids(n,"rect")[0].setAttribute("height",size(n))}
 for(const e of kids(graph,"path.edge"))e.setAttribute("d",pathOf(e,nodes,rows));
 const inside=graph.parentNode.closest("g.inside");if(!inside)return;
 const frame=kids(inside,"rect.frame")[0];frame.setAttribute("height",Math.max(0,top-40)+43);
 const owner=inside.parentNode;let h=num(owner,"head");
 for(const i of kids(owner,"g.inside")){const t=i.getAttribute("transform").match(/[-\d.]+/g);
  i.setAttribute("transform",`translate(${t[0]},${h})`);h+=parseFloat(kids(i,"rect.frame")[0].getAttribute("height"))+8}
 owner.dataset.height=h;arrange(owner.parentNode)}
function fold(node,closed){if(!kids(node,"g.inside").length)return;
 node.classList.toggle("folded",closed);for(const i of kids(node,"g.inside"))i.style.display=closed?"none":"";
 kids(node,"text.fold")[0].textContent=closed?"[+]":"[-]";arrange(node.parentNode)}
function choose(node){for(const n of all)n.classList.remove("chosen");const box=document.getElementById("details");
 if(!node){box.style.display="none";return}
 node.classList.add("chosen");box.style.display="block";
 box.textContent=node.dataset.text+"\nnode "+node.dataset.handle}
let moved=false;
svg.addEventListener("click",e=>{if(moved)return;const f=e.target.closest("text.fold"),n=e.target.closest("g.node");
 if(f)fold(n,!n.classList.contains("folded"));else choose(n)});
let drag=null;
svg.addEventListener("pointerdown",e=>{drag=[e.clientX-x,e.clientY-y];moved=false});
addEventListener("pointermove",e=>{if(!drag)return;const a=e.clientX-drag[0],b=e.clientY-drag[1];
 if(Math.abs(a-x)+Math.abs(b-y)>3)moved=true;if(moved){x=a;y=b;show()}});
addEventListener("pointerup",()=>drag=null);
svg.addEventListener("wheel",e=>{e.preventDefault();const f=Math.exp(-e.deltaY/500),r=svg.getBoundingClientRect();
 const a=e.clientX-r.left,b=e.clientY-r.top;x=a-(a-x)*f;y=b-(b-y)*f;scale*=f;show()},{passive:false});
function centre(node){const m=node.getBoundingClientRect(),r=svg.getBoundingClientRect();
 x+=r.left+r.width/2-(m.left+m.width/2);y+=r.top+r.height/2-(m.top+Math.min(m.height,60)/2);show()}
let hits=[],hit=0;
const search=document.getElementById("search");
search.addEventListener("input",()=>{const t=search.value.toLowerCase();
 hits=t?all.filter(n=>(n.dataset.text+" "+n.dataset.handle).toLowerCase().includes(t)):[];hit=0;
 for(const n of all){n.classList.toggle("found",hits.includes(n));n.classList.toggle("dim",!!t&&!hits.includes(n))}
 document.getElementById("hits").textContent=t?`${hits.length} found`:"";if(hits.length)centre(hits[0])});
search.addEventListener("keydown",e=>{if(e.key==="Enter"&&hits.length){hit=(hit+1)%hits.length;centre(hits[hit]);choose(hits[hit])}});
document.getElementById("fold").onclick=()=>{for(const n of [...all].reverse())fold(n,true);fit()};
document.getElementById("unfold").onclick=()=>{for(const n of [...all].reverse())fold(n,false);fit()};
document.getElementById("fit").onclick=fit;
document.getElementById("theme").onclick=()=>{const c=document.documentElement.classList;
 const dark=c.contains("dark")||(!c.contains("light")&&matchMedia("(prefers-color-scheme:dark)").matches);
 c.toggle("dark",!dark);c.toggle("light",dark)};
addEventListener("resize",fit);fit();
)js";

}  // namespace reprise_runtime::diagnose

import { expect, test } from "vitest";
import { namesWithin, placeStyles } from "./place-styles.ts";

const names = namesWithin(
  '<main id="m"><video class="player"></video><p class="h-(--bar) sm:pt-5">',
);
const placed = (css: string) => placeStyles(css, names);

test("keeps the rules of what stands there, in their order, layers and conditions", () => {
  const css =
    "@layer base,utilities;@layer base{*{margin:0}html>main{display:block}}" +
    "@media (width>=40rem){.player{width:1px}.sm\\:pt-5{padding-top:1px}}.h-\\(--bar\\){height:1px}";
  expect(placed(css)).toBe(css);
});

test("drops the rules of everything else, and what they leave empty", () => {
  expect(
    placed(
      "@media print{.card{color:red}}a{color:red}.player .card{color:red}#main{color:red}" +
        "main .player,main .card{color:red}@layer a{@supports (x:y){.card{x:y}}}",
    ),
  ).toBe("main .player{color:red}");
});

test("type, motion and the parts of controls are for later", () => {
  expect(
    placed(
      "@font-face{font-family:A;src:url(a)}@keyframes turn{to{rotate:1turn}}" +
        "video::-webkit-media-controls{color:red}.player::before{color:red}",
    ),
  ).toBe(".player::before{color:red}");
});

test("a condition need not hold for a rule to count, a choice must offer one of the names", () => {
  const kept =
    ".player:not(.card,:is(.a,.b)){x:y}:is(.player,.card) video{x:y}main:nth-child(2){x:y}";
  expect(placed(`${kept}:is(.card>*){x:y}:where(.a>:not(:last-child)){x:y}`)).toBe(kept);
});

test("what speaks of a film alone stays whatever it hides", () => {
  const css = "[data-film=alone] .card,[data-film=alone] header>nav{display:none}";
  expect(placed(css)).toBe(css);
});

test("custom properties stay where something asks for them, through others too", () => {
  expect(
    placed(
      ":root{--a:var(--b,1px);--b:2px;--c:3px}.player{width:var(--a)}.card{width:var(--c)}" +
        '@property --b{syntax:"*";inherits:false}@property --c{syntax:"*";inherits:false}',
    ),
  ).toBe(
    ':root{--a:var(--b,1px);--b:2px}.player{width:var(--a)}@property --b{syntax:"*";inherits:false}',
  );
});

test("names tags and classes, one time each", () => {
  const html = '<main class="a b"><img src="x"/><img class="a c"/>< /main><!-- <!-- --></main>';
  expect([...namesWithin(html)]).toEqual(["html", "body", "main", ".a", ".b", "img", ".c"]);
});

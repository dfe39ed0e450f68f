import { expect, test } from "vitest";
import { exampleFacts } from "../facts/example-facts.fixture.ts";
import { inputOptions, planVideoFilter } from "./video-filter.ts";

const all = { hasZscale: true, hasDeinterlacer: true };
const none = { hasZscale: false, hasDeinterlacer: false };
const target = { width: 1280, height: 720, fps: { num: 25, den: 1 } };

/** Matches the filters that scale all frames to one size. */
const fit = String.raw`scale=w='\S+':h='\S+':eval=frame:out_range=tv,pad=1280:720:\S+:eval=frame`;

test("converts a plain source to size, square pixels and frame rate", () => {
  expect(planVideoFilter(exampleFacts().video, target, all)).toMatch(
    new RegExp(`^${fit},setsar=1,format=yuv420p,fps=25/1:start_time=0$`),
  );
});

test("mirrors and rotates frames, before a sideways target is filled", () => {
  const filterOf = (rotationDeg: 0 | 90 | 180 | 270, isMirrored: boolean) =>
    planVideoFilter({ ...exampleFacts().video, rotationDeg, isMirrored }, target, all);
  const end = "sidedata=delete:type=DISPLAYMATRIX,fps=25/1:start_time=0";
  expect(filterOf(90, false)).toContain(`format=yuv420p,transpose=clock,${end}`);
  expect(filterOf(90, false)).toContain("pad=720:1280");
  expect(filterOf(180, false)).toContain(`format=yuv420p,hflip,vflip,${end}`);
  expect(filterOf(270, true)).toContain(`format=yuv420p,hflip,transpose=cclock,${end}`);
  expect(filterOf(0, true)).toContain(`format=yuv420p,hflip,${end}`);
  expect(filterOf(0, false)).not.toContain("sidedata");
});

test("lets ffmpeg neither rotate nor start the filters over, except to deinterlace", () => {
  const { video } = exampleFacts();
  expect(inputOptions(video)).toEqual(["-noautorotate", "-reinit_filter:v", "0"]);
  expect(inputOptions({ ...video, isInterlaced: true })).toEqual(["-noautorotate"]);
});

test("drops frames before other filters", () => {
  const video = { ...exampleFacts().video, fps: { num: 120, den: 1 } };
  const filter = planVideoFilter(video, { ...target, fps: { num: 60, den: 1 } }, all);
  expect(filter).toMatch(/^fps=60\/1:start_time=0,scale=/);
});

test("deinterlaces interlaced sources if ffmpeg can", () => {
  const video = { ...exampleFacts().video, isInterlaced: true };
  expect(planVideoFilter(video, target, all)).toMatch(/^bwdif=mode=send_frame:deint=interlaced,/);
  expect(planVideoFilter(video, target, none)).not.toContain("bwdif");
});

test("tone-maps HDR after scaling, or only converts it without zscale", () => {
  const video = { ...exampleFacts().video, isHdr: true, colorTransfer: "smpte2084" };
  const filter = planVideoFilter(video, target, all);
  expect(filter).toMatch(/^scale=\S+pad=1280:720\S+zscale=\S+transferin=smpte2084/);
  expect(filter).toContain("npl=203");
  expect(filter).toContain("tonemap=tonemap=hable:desat=0");
  expect(planVideoFilter(video, target, none)).toContain("out_color_matrix=bt709");
});

test("preserves HDR in 10 bits on request, with default colours if none are declared", () => {
  const video = { ...exampleFacts().video, isHdr: true, colorTransfer: "arib-std-b67" };
  const hdr = { ...target, isHdr: true };
  expect(planVideoFilter(video, hdr, all)).toMatch(
    new RegExp(`^${fit},setsar=1,format=yuv420p10le,fps=25/1:start_time=0$`),
  );
  const undeclared = { ...video, colorMatrix: null, colorPrimaries: null };
  expect(planVideoFilter(undeclared, hdr, all)).toMatch(
    /^setparams=colorspace=bt2020nc:color_primaries=bt2020,scale/,
  );
});

test("declares undeclared colours by the source's size", () => {
  const unnamed = { colorMatrix: null, colorPrimaries: null, colorTransfer: null };
  const hd = { ...exampleFacts().video, ...unnamed };
  expect(planVideoFilter(hd, target, all)).toMatch(
    /^setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709,/,
  );
  const sd = { ...hd, codedWidth: 720, codedHeight: 576 };
  expect(planVideoFilter(sd, target, all)).toContain("colorspace=smpte170m");
});

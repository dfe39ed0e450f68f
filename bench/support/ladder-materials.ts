import { spawn } from "node:child_process";
import { access, mkdir, rename } from "node:fs/promises";
import path from "node:path";

/** Typical kind of video. ffmpeg filters generate it, so it is the same on every machine. */
export interface Material {
  name: string;
  /** A graph without inputs that ends in `[v]`, 1920x1080 at 25 frames a second. */
  graph: string;
}

const size = "1920x1080";
/** The same size for a scaling filter. */
export const shownSize = "1920:1080";
export const materialS = 8;

/** Still frame of a fractal, which has detail of every size. */
const detail = (of: string, startX: number, startY: number, scale: number): string =>
  `mandelbrot=s=${of}:r=25:start_x=${startX}:start_y=${startY}:start_scale=${scale}:end_scale=${scale},` +
  `trim=end_frame=1,format=yuv444p`;
/** Repeats its only input frame. */
const still = "loop=loop=-1:size=1:start=0,setpts=N/25/TB";

export const materials: readonly Material[] = [
  {
    // Soft background, swaying head, moving mouth, sensor noise.
    name: "talking head",
    graph: [
      `gradients=s=480x270:c0=0x27313d:c1=0x5b6b7a:c2=0x39434c:nb_colors=3:speed=0.00001:r=25,scale=${size},trim=end_frame=1,${still}[back]`,
      `${detail("520x700", -0.745, 0.1, 0.02)},hue=s=0.25,eq=contrast=0.45:brightness=0.12,gblur=sigma=1.2,` +
        `geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)',format=yuva444p,` +
        `geq=lum='lum(X,Y)':cb='118':cr='148':a='255*clip(18*(1-hypot((X-260)/255,(Y-350)/345)),0,1)',${still}[head]`,
      `color=c=0x5a2a2a:s=120x34:r=25[mouth]`,
      `[back][head]overlay=x='700+26*sin(t*0.9)':y='190+14*sin(t*1.7)'[a]`,
      `[a][mouth]overlay=x='900+26*sin(t*0.9)':y='700+14*sin(t*1.7)+9*sin(t*13)',noise=alls=5:allf=t,gblur=sigma=0.6,format=yuv420p[v]`,
    ].join(";"),
  },
  {
    // Flat colours with hard edges that move, three scenes.
    name: "animation",
    graph: [
      `color=c=0x8fc6e8:s=${size}:r=25,drawbox=y=760:w=1920:h=320:c=0x6fae5a:t=fill,drawbox=y=752:w=1920:h=10:c=0x234018:t=fill,hue=h='floor(t/2.7)*70'[back]`,
      `color=c=0xd94f3a:s=420x420:r=25,format=yuva444p,geq=lum='if(lt(hypot(X-210,Y-210),188),120,16)':cb='if(lt(hypot(X-210,Y-210),188),100,128)':cr='if(lt(hypot(X-210,Y-210),188),200,128)':a='255*lt(hypot(X-210,Y-210),204)',trim=end_frame=1,${still}[ball]`,
      `color=c=0xf2c230:s=260x360:r=25,drawbox=w=260:h=360:c=0x302408:t=12[card]`,
      `color=c=white:s=340x90:r=25[cloud]`,
      `[back][cloud]overlay=x='mod(t*90,2300)-340':y=140[a]`,
      `[a][ball]overlay=x='200+mod(t*330,1600)':y='560-abs(sin(t*3))*380'[b]`,
      `[b][card]overlay=x='1300+160*sin(t*1.3)':y='420+30*sin(t*4)',format=yuv420p[v]`,
    ].join(";"),
  },
  {
    // A slow pan over detail, under strong noise that is new in every frame.
    name: "grain",
    graph:
      `${detail("2304x1296", -0.7436, 0.1318, 0.012)},hue=s=0.4,gblur=sigma=2,${still},` +
      `crop=1920:1080:x='190+150*sin(t*0.4)':y='100+60*sin(t*0.3)',noise=alls=24:allf=t+u,gblur=sigma=0.6,format=yuv420p[v]`,
  },
  {
    // Lines of small dark glyphs that scroll in steps, and a moving cursor.
    name: "screen recording",
    graph: [
      `cellauto=s=640x720:rule=30:scroll=0:r=25,trim=start_frame=2:end_frame=3,setpts=PTS-STARTPTS,scale=1280:2880:flags=neighbor,negate,format=yuv444p,` +
        `drawgrid=w=1280:h=32:t=16:c=white,drawgrid=w=176:h=2880:t=26:c=white,${still},` +
        `crop=1280:920:x=0:y='if(lt(mod(t,2),1.2),floor(t/2)*360,floor(t/2)*360+(mod(t,2)-1.2)*450)'[text]`,
      `color=c=0xf4f4f6:s=${size}:r=25,drawbox=w=1920:h=90:c=0x2b2f3a:t=fill,drawbox=y=90:w=420:h=990:c=0xe2e5ec:t=fill[page]`,
      `color=c=black:s=18x26:r=25[cursor]`,
      `[page][text]overlay=x=520:y=130[a]`,
      `[a][cursor]overlay=x='900+500*sin(t*0.8)':y='560+300*sin(t*1.1)',format=yuv420p[v]`,
    ].join(";"),
  },
  {
    // A camera that swings over rough ground, and players that run across it.
    name: "sport",
    graph: [
      `${detail("3072x1440", -0.1011, 0.9563, 0.05)},eq=contrast=0.7,noise=alls=24,gblur=sigma=1,${still},` +
        `crop=1920:1080:x='576+560*sin(t*1.9)':y='180+120*sin(t*2.6)'[field]`,
      `color=c=0xe03030:s=70x170:r=25,drawbox=y=60:w=70:h=30:c=white:t=fill[red]`,
      `color=c=0x3050d0:s=70x170:r=25,drawbox=y=80:w=70:h=20:c=yellow:t=fill[blue]`,
      `[red]split=2[red1][red2]`,
      `[blue]split=2[blue1][blue2]`,
      `[field][red1]overlay=x='mod(t*520,2000)-70':y='400+60*sin(t*9)'[a]`,
      `[a][red2]overlay=x='1900-mod(t*610,2000)':y='650+50*sin(t*8)'[b]`,
      `[b][blue1]overlay=x='mod(400+t*450,2000)-70':y='300+70*sin(t*7)'[c]`,
      `[c][blue2]overlay=x='1500-mod(t*380,1600)':y='760+40*sin(t*10)',noise=alls=5:allf=t,gblur=sigma=0.6,format=yuv420p[v]`,
    ].join(";"),
  },
];

/**
 * Generates a material with a tone, once, at the bit rate of a good camera.
 * @returns its path.
 */
export async function makeMaterial(
  ffmpeg: string,
  folder: string,
  { name, graph }: Material,
): Promise<string> {
  const target = path.join(folder, `${name.replaceAll(" ", "-")}-${materialS}.mp4`);
  const isThere = await access(target).then(
    () => true,
    () => false,
  );
  if (isThere) return target;
  await mkdir(folder, { recursive: true });
  const draft = `${target}.part.mp4`;
  await runProgram(ffmpeg, [
    ...["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", `sine=f=440:d=${materialS}`],
    ...["-filter_complex", graph, "-map", "[v]", "-map", "0:a", "-t", String(materialS)],
    ...["-c:v", "libx264", "-preset", "superfast", "-crf", "17"],
    ...["-maxrate", "40M", "-bufsize", "40M", "-g", "50", "-c:a", "aac"],
    ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", draft],
  ]);
  await rename(draft, target);
  return target;
}

/** Runs a program to its end and returns its standard error. Throws if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd?: string,
): Promise<string> {
  const lines: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (chunk: Buffer) => lines.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const text = Buffer.concat(lines).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`${program} ended with ${code}: ${text.slice(-2000)}`));
    });
  });
}

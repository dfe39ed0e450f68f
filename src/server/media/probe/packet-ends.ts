const maxRestBytes = 4 * 1024 * 1024;

/**
 * Removes packets from ffprobe's compact JSON as it arrives and stores only the end of each
 * stream's last packet. For a file without keyframes, ffprobe lists all packets.
 */
export function createPacketEnds() {
  const endsS = new Map<number, number>();
  let kept = "";
  let pending = "";
  let isInPackets = false;

  function addLine(line: string): void {
    if (/^ {4}"packets": \[/.test(line)) isInPackets = true;
    else if (isInPackets && /^ {4}\],?$/.test(line)) isInPackets = false;
    else if (isInPackets) addPacket(line);
    else if (kept.length < maxRestBytes) kept += `${line}\n`;
  }

  // Uses patterns and not a JSON parser, because a packet with side data spans several lines.
  function addPacket(line: string): void {
    const index = /"stream_index": (\d+)/.exec(line)?.[1];
    const at = /"pts_time": "([^"]+)"/.exec(line)?.[1] ?? /"dts_time": "([^"]+)"/.exec(line)?.[1];
    if (index === undefined || !Number.isFinite(Number(at))) return;
    const duration = Number(/"duration_time": "([^"]+)"/.exec(line)?.[1] ?? 0);
    const end = Number(at) + (Number.isFinite(duration) ? duration : 0);
    endsS.set(Number(index), Math.max(endsS.get(Number(index)) ?? 0, end));
  }

  return {
    add(chunk: Buffer): void {
      pending += chunk.toString("utf8");
      const lines = pending.split("\n");
      pending = lines.pop() ?? "";
      if (pending.length > maxRestBytes) pending = "";
      for (const line of lines) addLine(line);
    },
    /** Returns the JSON without its packets. */
    rest: (): Buffer => Buffer.from(kept + pending),
    endsS: (): Map<number, number> => endsS,
  };
}

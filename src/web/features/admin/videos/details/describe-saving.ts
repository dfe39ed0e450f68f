import type { VideoFileList } from "#contract/videos/admin-videos.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";

type Files = VideoFileList["files"];

/**
 * Describes how much smaller AV1 renditions are than H.264 ones of the same size; null without AV1.
 */
export function describeSaving(files: Files): string | null {
  const efficient = files.filter(({ kind }) => kind === "efficient");
  const lines = new Set(efficient.map(({ height }) => height));
  const usual = files.filter(({ kind, height }) => kind === "rendition" && lines.has(height));
  const [av1Bytes, h264Bytes] = [sumOf(efficient), sumOf(usual)];
  if (av1Bytes === 0 || h264Bytes <= av1Bytes) return null;
  const share = Math.round((1 - av1Bytes / h264Bytes) * 100);
  return `Browsers that support AV1 download ${share}% less video data: ${formatFileSize(av1Bytes)} instead of ${formatFileSize(h264Bytes)} for all renditions.`;
}

const sumOf = (files: Files): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

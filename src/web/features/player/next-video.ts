/** What plays after this video. */
export interface NextVideo {
  href: string;
  title: string;
  thumbnail: string | null;
}

/** Video to play after the current one. */
export interface NextVideo {
  href: string;
  title: string;
  thumbnail: string | null;
}

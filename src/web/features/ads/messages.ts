/** Words of the ads, where the specification gives them in its words. */
export const spotMessages = {
  label: "Advertisement",
  close: "Close advertisement",
  skipIn: (seconds: number) => `Skip in ${seconds}s`,
  skip: "Skip Ad",
  unsupported: "Your browser does not support video ads",
  visit: "Visit site",
  mute: "Mute",
  unmute: "Unmute",
} as const;

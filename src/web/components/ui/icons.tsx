import type { ReactNode } from "react";

/** Line icons after Lucide (ISC licence), drawn here because the first load counts every byte. */
interface IconProps {
  className?: string;
  /** Filled with the text's colour, for a state that is on. */
  isFilled?: boolean;
}

export function icon(paths: ReactNode) {
  return function Icon({ className = "size-5", isFilled = false }: IconProps) {
    return (
      <svg
        viewBox="0 0 24 24"
        fill={isFilled ? "currentColor" : "none"}
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={className}
      >
        {paths}
      </svg>
    );
  };
}

export const SearchIcon = icon(<path d="m21 21-4.34-4.34M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0" />);
export const MenuIcon = icon(<path d="M4 5h16M4 12h16M4 19h16" />);
export const CloseIcon = icon(<path d="M18 6 6 18M6 6l12 12" />);
export const HeartIcon = icon(
  <path d="M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5" />,
);
export const ClapperIcon = icon(
  <path d="M20.2 6 3 11l-.9-2.4c-.3-1.1.3-2.2 1.3-2.5l13.5-4c1.1-.3 2.2.3 2.5 1.3zM3 11h18v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm9.3-7.52 3.02 3.96M6.18 5.28l3.1 3.89" />,
);
export const MonitorIcon = icon(
  <path d="M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M8 21h8M12 17v4" />,
);
export const MoonIcon = icon(
  <path d="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401" />,
);
export const SunIcon = icon(
  <path d="M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41" />,
);
export const ChevronDownIcon = icon(<path d="m6 9 6 6 6-6" />);
export const CheckIcon = icon(<path d="M20 6 9 17l-5-5" />);
export const ShareIcon = icon(<path d="m15 5 5 5-5 5M20 10H10a6 6 0 0 0-6 6v3" />);
export const BookmarkIcon = icon(
  <path d="M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.5.87l-4.5-2.56a2 2 0 0 0-2 0L6.5 20.87A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z" />,
);
export const AlertIcon = icon(
  <path d="M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 8v4M12 16h.01" />,
);

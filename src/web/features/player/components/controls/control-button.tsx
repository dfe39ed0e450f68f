import type { ReactNode, Ref } from "react";

interface ControlButtonProps {
  label: string;
  /** Keyboard shortcut, shown in the tooltip. */
  hotkey?: string;
  onPress: () => void;
  children: ReactNode;
  isPressed?: boolean;
  isExpanded?: boolean;
  hasMenu?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Button of the control bar, 44 px in size. Its tooltip contains the name and the shortcut. */
export function ControlButton(props: ControlButtonProps) {
  const { label, hotkey, onPress, children, isPressed, isExpanded, hasMenu, className, ref } =
    props;
  return (
    <button
      ref={ref}
      type="button"
      className={`player-button${className === undefined ? "" : ` ${className}`}`}
      aria-label={label}
      title={hotkey === undefined ? label : `${label} (${hotkey})`}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-haspopup={hasMenu === true ? "menu" : undefined}
      aria-keyshortcuts={hotkey}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

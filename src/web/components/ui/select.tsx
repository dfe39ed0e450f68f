import { CheckIcon, ChevronDownIcon } from "lucide-react";
import { Select as Base } from "@base-ui/react/select";

/** Styled select. In forms of visitors prefer `SelectField`. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onValue: (value: Value) => void;
}) {
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onValue(next);
      }}
    >
      <Base.Trigger
        aria-label={label}
        className="field flex w-auto min-w-36 items-center justify-between gap-3 text-start"
      >
        <Base.Value />
        <ChevronDownIcon className="size-4 shrink-0 text-ink-11" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-h-80 min-w-(--anchor-width) overflow-y-auto p-1.5">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="popup-item justify-between"
              >
                <Base.ItemText>{option.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <CheckIcon className="size-4 text-lamp-text" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

/** Tabs after the ARIA pattern: arrow keys move between them. */
export function Tabs({
  label,
  tabs,
  value,
  onValue,
}: {
  label: string;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    <Base.Root value={value} onValueChange={(next: unknown) => onValue(String(next))}>
      <Base.List aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

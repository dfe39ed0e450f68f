import { classNames } from "#web/components/ui/class-names.ts";

interface CountTableProps {
  caption: string;
  /** Column headings. The first one is above the row names. */
  heads: string[];
  hiddenOnPhones?: string;
  /** Rows need a `key` if names can repeat. */
  rows: { key?: string; name: string; note?: string; values: string[] }[];
}

/** Table of numbers with a caption. */
export function CountTable({ caption, heads, hiddenOnPhones, rows }: CountTableProps) {
  const hidden = (at: number) => heads[at] === hiddenOnPhones && "max-sm:hidden";
  return (
    <table className="tabular w-full text-start">
      <caption className="pb-2 text-start font-medium">{caption}</caption>
      <thead className="text-ink-11">
        <tr>
          {heads.map((head, at) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                "py-1 font-medium",
                at > 0 ? "ps-3 text-end" : "text-start",
                hidden(at),
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, key = name, note, values }) => (
          <tr key={key} className="border-t border-line align-top">
            <th scope="row" className="py-1.5 text-start font-normal break-words">
              {name}
              {note === undefined ? null : (
                <span className="block text-sm text-ink-11">{note}</span>
              )}
            </th>
            {values.map((value, at) => (
              <td
                key={heads[at + 1]}
                className={classNames("py-1.5 ps-3 text-end", hidden(at + 1))}
              >
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

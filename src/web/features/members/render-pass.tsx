import { CircleCheckIcon, MonitorSmartphoneIcon, TicketIcon } from "lucide-react";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { splitLanguage } from "#contract/site/translated-pages.ts";
import { passEndWords } from "#contract/visitors/pass-end-words.ts";
import type { OpenedPass, PassView } from "#contract/visitors/passes.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { formatDate } from "#web/lib/format/format.ts";
import { inLanguage, pageLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("server");
const codeForm = "XXXX-XXXX-XXXX-XXXX-XXXX";

/** Page of a pass as HTML, only on the server. Its forms need no scripts. */
export interface RenderedPass {
  title: string;
  html: string;
}

export function renderPass(view: PassView): RenderedPass {
  const title = view.pass === null ? messages.pass.title : messages.pass.yourPass;
  return { title, html: renderToStaticMarkup(<PassContent title={title} view={view} />) };
}

function PassContent({ title, view }: { title: string; view: PassView }) {
  const { pass, problem, next } = view;
  return (
    <>
      <TicketIcon aria-hidden="true" className="mb-5 size-10 text-lamp-text" strokeWidth={1.5} />
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {pass === null ? <p className="mt-2 text-ink-11">{messages.pass.intro}</p> : null}
      {problem === null ? null : <Alert>{messages.pass[problem]}</Alert>}
      {pass === null ? null : <OwnPass pass={pass} view={view} />}
      <form method="post" name="code" className="mt-8">
        <input type="hidden" name="next" value={next} />
        <label htmlFor="code" className="mb-1.5 block text-sm font-medium">
          {pass === null ? messages.pass.code : messages.pass.otherCode}
        </label>
        <div className="flex flex-wrap gap-3">
          <input
            id="code"
            name="code"
            required
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            placeholder={codeForm}
            className="field tabular min-w-0 flex-[1_1_17rem] tracking-wider uppercase placeholder:tracking-wider"
          />
          <button
            name="do"
            value="look"
            className={buttonClass({ kind: pass === null ? "primary" : "quiet" })}
          >
            {messages.pass.look}
          </button>
        </div>
      </form>
    </>
  );
}

function Alert({ children }: { children: ReactNode }) {
  return (
    <p
      role="alert"
      className="mt-4 rounded-md bg-danger-soft px-4 py-3 text-sm font-medium text-danger-text"
    >
      {children}
    </p>
  );
}

const tones = { active: "done", expired: "neutral", revoked: "danger" } as const;

function OwnPass({ pass, view }: { pass: OpenedPass; view: PassView }) {
  const { state, ownDeviceId, replaced } = pass;
  const end = passEndWords(pass.validUntil, pageLanguage().code);
  const stateText = {
    active: messages.pass.validUntil(end),
    expired: messages.pass.expired(end),
    revoked: messages.pass.revoked,
  }[state];
  const isInUse = ownDeviceId !== null && state === "active";
  const isUsable = ownDeviceId === null && state === "active";
  const fields = (
    <>
      {view.code === null ? null : <input type="hidden" name="code" value={view.code} />}
      <input type="hidden" name="next" value={view.next} />
    </>
  );
  return (
    <section className="mt-5 rounded-lg border border-line bg-ink-2 p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone={tones[state]}>{stateText}</Badge>
        {state === "active" ? (
          <span className="text-sm text-ink-11">
            {messages.pass.devices(pass.devices.length, pass.maxDevices)}
          </span>
        ) : null}
      </p>
      {pass.devices.length === 0 || state !== "active" ? null : (
        <ul className="mt-3 divide-y divide-line">
          {pass.devices.map(({ id, name, lastUsedAt }) => {
            const isOwn = id === ownDeviceId;
            const action = isOwn ? messages.pass.leave : messages.pass.signOut;
            return (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
                <MonitorSmartphoneIcon aria-hidden="true" className="size-5 shrink-0 text-ink-11" />
                <bdi className="min-w-0 flex-1 text-sm wrap-anywhere">
                  {isOwn
                    ? messages.pass.thisDevice(name)
                    : messages.pass.device(name, formatDate(lastUsedAt.toISOString()))}
                </bdi>
                <form method="post">
                  {fields}
                  <input type="hidden" name="device" value={id} />
                  <button
                    name="do"
                    value="out"
                    aria-label={[action, name].join(": ")}
                    className={buttonClass({ kind: "ghost", size: "small" })}
                  >
                    {action}
                  </button>
                </form>
              </li>
            );
          })}
        </ul>
      )}
      {isInUse ? (
        <>
          <p role="status" className="mt-3 flex items-center gap-2 text-sm font-medium">
            <CircleCheckIcon aria-hidden="true" className="size-5 shrink-0 text-done-text" />
            {messages.pass.inUse}
          </p>
          <a
            href={pagePath(splitLanguage(view.next).url)}
            className={`${buttonClass({ kind: "primary" })} mt-4`}
          >
            {messages.pass.watch}
          </a>
        </>
      ) : null}
      {isUsable ? (
        <>
          {replaced === null ? null : (
            <p role="alert" className="mt-4 rounded-md bg-lamp-soft px-4 py-3 text-sm font-medium">
              {messages.pass.full(replaced.name)}
            </p>
          )}
          <form method="post" className="mt-4">
            {fields}
            {replaced === null ? null : <input type="hidden" name="replaced" value={replaced.id} />}
            <button name="do" value="use" className={buttonClass({ kind: "primary" })}>
              {replaced === null ? messages.pass.use : messages.pass.replace(replaced.name)}
            </button>
          </form>
        </>
      ) : null}
    </section>
  );
}

import { createHash } from 'node:crypto'

/** Style sheet of the sign-in pages: colours and fonts of the portal, light and dark. */
export const pageStyle = `@font-face {
  font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap;
  src: url('/fonts/inter.woff2') format('woff2');
}
:root {
  color-scheme: light dark;
  --page: #f4f6f9; --panel: #fff; --line: #d9dee7; --text: #141b2b; --soft: #56617a;
  --accent: #1c6fd4; --accent-strong: #175cb0; --on-accent: #fff; --ring: #1c6fd4;
  --bad: #b3261e; --bad-page: #fdf0ef; --bad-line: #f1c4c0; --field: #fff; --field-line: #8d98ad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d131f; --panel: #151d2c; --line: #2a3447; --text: #e8ecf4; --soft: #a3aec2;
    --accent: #2f7fe0; --accent-strong: #5a9df0; --on-accent: #fff; --ring: #7ab2f5;
    --bad: #ffb4ab; --bad-page: #3a1f1f; --bad-line: #6b3632; --field: #0f1623; --field-line: #56627a;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  background: var(--page); color: var(--text);
  font: 14px/1.5 'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  -webkit-font-smoothing: antialiased;
}
.frame {
  min-height: 100%; display: grid; grid-template-rows: auto 1fr auto;
  background:
    radial-gradient(60rem 30rem at 85% -10%, color-mix(in srgb, var(--accent) 16%, transparent), transparent),
    radial-gradient(50rem 26rem at 0% 110%, color-mix(in srgb, var(--accent) 10%, transparent), transparent),
    var(--page);
}
.brand { display: flex; align-items: center; gap: 10px; height: 56px; padding: 0 20px; font-size: 16px; font-weight: 600; letter-spacing: -.01em; }
.brand svg { width: 26px; height: 26px; flex: none; }
main { display: grid; place-items: center; padding: 16px 16px 5vh; }
.card {
  width: 100%; max-width: 420px; padding: 28px; border: 1px solid var(--line); border-radius: 12px;
  background: var(--panel); box-shadow: 0 12px 40px rgb(10 20 40 / 8%);
}
nav { padding: 0 16px 20px; }
h1 { font-size: 20px; line-height: 1.3; letter-spacing: -.012em; font-weight: 600; margin: 0 0 6px; text-wrap: balance; overflow-wrap: anywhere; }
.lead { color: var(--soft); margin: 0 0 24px; font-size: 13px; overflow-wrap: anywhere; }
h1 + form { margin-top: 26px; }
label { display: block; font-size: 13px; font-weight: 500; margin: 0 0 6px; }
.field { margin-bottom: 18px; }
.help { color: var(--soft); font-size: 13px; margin: 6px 0 0; }
input:not([type=hidden]) {
  width: 100%; height: 36px; padding: 0 12px; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--field-line); border-radius: 8px;
}
input[aria-invalid=true] { border-color: var(--bad); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 36px; padding: 0 18px;
  font: inherit; font-weight: 600; color: var(--on-accent); background: #1c6fd4; border: 1px solid transparent;
  border-radius: 8px; cursor: pointer; text-decoration: none;
}
button:hover, .button:hover { background: #175cb0; }
.plain { background: transparent; color: var(--text); border-color: var(--line); margin-top: 10px; font-weight: 500; }
.plain:hover { background: color-mix(in srgb, var(--text) 6%, transparent); }
:where(a, button, input, .button):focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
[role=alert] {
  display: flex; gap: 10px; color: var(--bad); background: var(--bad-page); border: 1px solid var(--bad-line);
  border-radius: 8px; padding: 11px 13px; margin: 0 0 20px; font-size: 14px;
}
.note {
  display: flex; gap: 10px; color: var(--text); background: var(--field); border: 1px solid var(--line);
  border-radius: 8px; padding: 11px 13px; margin: 14px 0 20px; font-size: 14px;
}
.note svg { flex: none; width: 18px; height: 18px; margin-top: 2px; color: var(--accent-strong); }
[role=alert] svg { flex: none; width: 18px; height: 18px; margin-top: 2px; }
a { color: var(--accent-strong); text-underline-offset: 3px; }
.other { margin: 24px 0 0; text-align: center; font-size: 14px; }
code { display: block; margin-top: 4px; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.detail { color: var(--soft); font-size: 13px; margin: 24px 0 0; }
.lead.tight { margin-bottom: 10px; color: var(--text); font-weight: 500; }
.qr { display: block; width: 190px; height: 190px; margin: 0 auto 4px; border-radius: 8px; }
.qr + .help { text-align: center; margin-bottom: 22px; }
.qr + .help code { color: var(--text); }
.code { font-variant-numeric: tabular-nums; letter-spacing: .14em; }
.codes { list-style: none; margin: 0 0 24px; padding: 14px; display: grid; grid-template-columns: 1fr 1fr; gap: 8px 12px;
  justify-items: center; border: 1px solid var(--line); border-radius: 8px; background: var(--field); }
.codes code { margin: 0; }
.quiet { margin: 10px 0 0; text-align: center; }
.link { width: auto; min-height: 32px; padding: 0 8px; color: var(--accent-strong); background: none; font-size: 14px; font-weight: 400; text-decoration: underline; text-underline-offset: 3px; }
.link:hover { background: none; color: var(--text); }
.failed { color: var(--bad); font-size: 13px; margin: 8px 0 0; }
.quiet .plain { margin-top: 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; justify-content: center; gap: 2px 4px; margin: 0; padding: 0; }
nav a { display: inline-flex; align-items: center; min-height: 32px; padding: 0 9px; font-size: 13px; color: var(--soft); text-decoration: none; border-radius: 6px; }
nav a:hover { color: var(--text); background: color-mix(in srgb, var(--text) 7%, transparent); }
nav a[aria-current] { color: var(--text); font-weight: 600; }
@media (max-width: 600px) {
  main { place-items: start center; padding: 8px 12px 24px; }
  .card { padding: 20px 16px; }
  input:not([type=hidden]) { height: 44px; font-size: 16px; }
  button, .button { min-height: 44px; }
  nav { padding: 0 8px 20px; }
  nav a { min-height: 44px; padding: 0 8px; }
  .link { min-height: 44px; }
}
`

/** Version in the address of the style sheet, so that browsers may cache it for a year. */
export const pageStyleVersion = createHash('sha256')
  .update(pageStyle)
  .digest('base64url')
  .slice(0, 12)

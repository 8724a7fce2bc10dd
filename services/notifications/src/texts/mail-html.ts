import { alarmLines, restOf } from './plain-text.ts'
import type { Content } from './content.ts'
import { words } from './words.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text in which no character begins a tag or an entity. */
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const font = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** Colours of the severities 0 to 6; white text on them can be read (contrast of 4.5 at least). */
const colours = ['#5b6675', '#1c6fd4', '#1c6fd4', '#8a6100', '#8a6100', '#b84a00', '#b3261e']
const calm = '#1c6fd4'
const over = '#2e7d32'

/** Colours of mail programs in the dark; those that know no style sheet show the light ones. */
const dark = `@media (prefers-color-scheme:dark){
.page{background:#0f141b!important;color:#e8ecf2!important}
.card{background:#1a212b!important}
.quiet{color:#a9b4c4!important}
.line{border-color:#37414f!important}
.box{background:#243040!important}
}`

/** HTML of a mail; it loads nothing, and its only link opens the portal. */
export function mailHtml(content: Content) {
  const { language, subject, lead, alarms, why, repeated } = content
  const isOne = alarms.length === 1
  const parts = [
    isOne ? badge(content, alarms[0]) : '',
    `<h1 style="margin:0 0 16px;font-size:21px;line-height:1.35;font-weight:600">${escapeHtml(titleOf(content))}</h1>`,
    ...paragraphs(lead),
    ...alarms.map((alarm) => alarmHtml(alarm, content, isOne)),
    ...paragraphs(restOf(content)),
    button(content),
    ...(repeated === '' ? [] : [quiet(repeated)]),
    why === ''
      ? ''
      : `<p class="quiet line" style="margin:20px 0 0;padding-top:16px;border-top:1px solid #d5dbe4;font-size:13px;color:#566274">${escapeHtml(why)}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title>
<style>${dark}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:#eef1f5;color:#1b2430;font:16px/1.5 ${font}">
<div class="card" style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-top:6px solid ${colourOf(content)};border-radius:8px">
${parts.filter((part) => part !== '').join('\n')}
</div></body>
</html>
`
}

/** Subject without the severity before it, which stands in a badge of its own. */
const titleOf = ({ subject, alarms: [first] }: Content) =>
  first && subject.startsWith(`[${first.severity}] `)
    ? subject.slice(first.severity.length + 3)
    : subject

function colourOf({ kind, alarms, severity }: Content) {
  if (kind === 'return') return over
  return alarms.length === 0 ? calm : (colours[severity] ?? calm)
}

function badge({ kind }: Content, alarm: Content['alarms'][number] | undefined) {
  if (!alarm) return ''
  const colour = kind === 'return' ? over : (colours[alarm.severityNumber] ?? calm)
  return `<p style="margin:0 0 10px">${pill(alarm.severity, colour)}</p>`
}

const pill = (text: string, colour: string) =>
  `<span style="display:inline-block;padding:2px 10px;border-radius:10px;background:${colour};color:#ffffff;font-size:13px;font-weight:600">${escapeHtml(text)}</span>`

/** Paragraphs of a text, with its lines. */
const paragraphs = (text: string) =>
  text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map(
      (part) =>
        `<p style="margin:0 0 14px">${escapeHtml(part.trim()).replaceAll('\n', '<br>')}</p>`,
    )

const quiet = (text: string) =>
  `<p class="quiet" style="margin:16px 0 0;font-size:14px;color:#566274">${escapeHtml(text)}</p>`

const button = ({ url, open }: Content) =>
  `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#1c6fd4;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(open)}</a></p>`

/** Facts of one alarm, and what to do about it; of several each has a heading. */
function alarmHtml(alarm: Content['alarms'][number], content: Content, isOne: boolean) {
  const say = words[content.language]
  const rows = alarmLines(alarm, content)
    .filter(([name]) => name !== say.response)
    .map(
      ([name, text]) =>
        `<tr><th scope="row" class="quiet" style="width:34%;text-align:left;vertical-align:top;padding:3px 12px 3px 0;font-weight:400;color:#566274">${escapeHtml(name)}</th><td style="vertical-align:top;padding:3px 0;overflow-wrap:anywhere">${escapeHtml(text)}</td></tr>`,
    )
  const colour = colours[alarm.severityNumber] ?? calm
  const heading = isOne
    ? ''
    : `<h2 class="line" style="margin:0 0 8px;padding-top:16px;border-top:1px solid #d5dbe4;font-size:17px;line-height:1.4;font-weight:600">${pill(alarm.severity, colour)} ${escapeHtml(alarm.text)}</h2>\n`
  return `${heading}<table style="width:100%;border-collapse:collapse;margin:0 0 16px;font-size:15px">${rows.join('')}</table>${toDo(say.response, alarm.overSince === '' ? alarm.response : '')}`
}

const toDo = (name: string, text: string) =>
  text === ''
    ? ''
    : `\n<div class="box" style="margin:0 0 16px;padding:12px 14px;border-radius:8px;background:#e9f1fb"><strong>${escapeHtml(name)}</strong><br>${escapeHtml(text).replaceAll('\n', '<br>')}</div>`

import { alarmLines, headOf, restOf } from './plain-text.ts'
import type { Content } from './content.ts'

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
const muted = 'font-size:14px;margin:0 0 16px'

/** HTML of a mail; it loads nothing, and its only link opens the portal. */
export function mailHtml(content: Content) {
  const { language, subject, lead, alarms, url, why, repeated } = content
  const parts = [
    `<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:600">${escapeHtml(subject)}</h1>`,
    paragraph(lead),
    ...alarms.map((alarm) => alarmHtml(alarm, content)),
    paragraph(restOf(content)),
    `<p style="margin:0 0 24px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#1c6fd4;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(content.open)}</a></p>`,
    paragraph(repeated),
    why === ''
      ? ''
      : `<p style="margin:0;padding-top:16px;border-top:1px solid #8d98ad;font-size:13px">${escapeHtml(why)}</p>`,
  ]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 ${font}"><div style="max-width:560px;margin:0 auto">
${parts.filter((part) => part !== '').join('\n')}
</div></body>
</html>
`
}

const paragraph = (text: string) =>
  text === '' ? '' : `<p style="${muted}">${escapeHtml(text)}</p>`

function alarmHtml(alarm: Content['alarms'][number], content: Content) {
  const rows = alarmLines(alarm, content).map(
    ([name, text]) =>
      `<tr><th scope="row" style="text-align:left;vertical-align:top;padding:2px 16px 2px 0;font-weight:400;opacity:.75">${escapeHtml(name)}</th><td style="padding:2px 0">${escapeHtml(text)}</td></tr>`,
  )
  return `<h2 style="margin:0 0 8px;font-size:17px;font-weight:600">${escapeHtml(headOf(alarm))}</h2>
<table style="border-collapse:collapse;margin:0 0 24px;font-size:15px">${rows.join('')}</table>`
}

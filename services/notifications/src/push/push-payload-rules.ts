import type { Content } from '../texts/content.ts'

const most = { title: 200, body: 400 }

/** Message as the browser's service worker reads it: what is wrong where, and the page that it opens. */
export function pushPayload(content: Content, tag: string) {
  const { subject, alarms, lead, severity, url, language } = content
  const [first] = alarms
  const lines = first ? [first.text, first.since, first.response] : [lead]
  return JSON.stringify({
    title: subject.slice(0, most.title),
    body: lines
      .filter((line) => line !== '')
      .join('\n')
      .slice(0, most.body),
    lang: language,
    // A repeated message takes the place of the first.
    tag,
    severity,
    path: pathOf(url),
  })
}

/** Address in the portal, without its origin: the worker opens no other site. */
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]*/, '')

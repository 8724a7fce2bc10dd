import type { Content } from '../texts/content.ts'

const most = { title: 200, body: 400 }

/** Message with this id as the browser's service worker reads it: what is wrong where, and the page that it opens. */
export function pushPayload(content: Content, id: string) {
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
    tag: tagOf(content, id),
    severity,
    path: pathOf(url),
  })
}

/** Later news of one alarm takes the place of the earlier, as does a message that comes a second time. */
const tagOf = ({ alarms: [first], total }: Content, id: string) =>
  first && total === 1 ? `alarm:${first.id}` : id

/** Address in the portal, without its origin: the worker opens no other site. */
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]*/, '')

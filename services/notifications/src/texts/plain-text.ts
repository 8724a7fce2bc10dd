import type { Content } from './content.ts'
import { fill } from './fill.ts'
import { words } from './words.ts'

type Alarm = Content['alarms'][number]

/** Lines of one alarm: what, where, since, value, limit, consequence and response. */
export function alarmLines(
  alarm: Alarm,
  { language }: Pick<Content, 'language'>,
): [string, string][] {
  const say = words[language]
  const lines: [string, string][] = [
    [say.device, alarm.device],
    [say.since, alarm.since],
    [say.overSince, alarm.overSince],
    [say.value, alarm.value],
    [say.limit, alarm.limit],
    // Nobody has to do anything about an alarm that is over.
    ...(alarm.overSince === ''
      ? ([
          [say.consequence, alarm.consequence],
          [say.response, alarm.response],
          [say.respondBy, alarm.respondBy],
        ] satisfies [string, string][])
      : []),
  ]
  return lines.filter(([, text]) => text !== '')
}

export const headOf = (alarm: Alarm) => `[${alarm.severity}] ${alarm.text}`

/** Alarms beyond those that are listed, in words; empty without any. */
export const restOf = ({ alarms, total, language }: Content) =>
  total > alarms.length ? fill(words[language].andMore, { n: total - alarms.length }) : ''

/** Body of a message as plain text. */
export function plainText(content: Content) {
  const { alarms, lead, open, url, why, repeated } = content
  const blocks = alarms.map((alarm) =>
    [headOf(alarm), ...alarmLines(alarm, content).map(([name, text]) => `${name}: ${text}`)].join(
      '\n',
    ),
  )
  const link = `${open}:\n${url}`
  return (
    [lead, ...blocks, restOf(content), link, repeated, why === '' ? '' : `-- \n${why}`]
      .filter((part) => part !== '')
      .join('\n\n') + '\n'
  )
}

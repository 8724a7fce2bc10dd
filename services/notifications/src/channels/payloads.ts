import type { ChannelConfig, ChannelType } from './contract.ts'
import type { Content } from '../texts/content.ts'
import { alarmLines, headOf, plainText, restOf } from '../texts/plain-text.ts'
import { words } from '../texts/words.ts'
import { escapeFor, renderTemplate, type Target } from './templates.ts'

/** Form of the texts of a channel. */
export const targetOf: Record<ChannelType, Target> = {
  webhook: 'json',
  telegram: 'plain',
  teams: 'markdown',
  slack: 'slack',
  ntfy: 'plain',
}

/** Message as it is sent: its id is the same for every attempt. */
type Sending = { id: string; content: Content; config: ChannelConfig }

/** Body of a webhook: that of its template, or all facts. */
export function webhookBody({ id, content, config }: Sending) {
  if (config.template !== undefined) return renderTemplate(config.template, content, 'json')
  const { kind, subject, alarms, total, severity, lead, url, repeated } = content
  return JSON.stringify({
    id,
    type: `longreach.${kind}`,
    subject,
    severity,
    total,
    alarms,
    text: lead,
    url,
    isRepeat: repeated !== '',
  })
}

const longestTelegram = 4_096

export const telegramBody = (sending: Sending) =>
  JSON.stringify({
    chat_id: sending.config.chatId,
    text: cut(
      textThatFits(sending, (text) => text.length <= longestTelegram, headingOf(sending)),
      longestTelegram,
    ),
    link_preview_options: { is_disabled: true },
  })

/** Characters of the subject, and of the text of an alarm, in a chat or on a phone. */
const longestLine = 300

/**
 * Text of a template, or subject and text with as many alarms as fit: the others are counted, so that the way to the
 * portal is never cut off.
 */
function textThatFits(
  { content, config }: Sending,
  fits: (text: string) => boolean,
  before = '',
): string {
  if (config.template !== undefined) return renderTemplate(config.template, content, 'plain')
  const short = content.alarms.map((alarm) => ({ ...alarm, text: cut(alarm.text, longestLine) }))
  for (let count = short.length; ; count -= 1) {
    const alarms = short.slice(0, count)
    const text = before + plainText({ ...content, alarms })
    if (count === 0 || fits(text)) return text
  }
}

const headingOf = ({ content }: Sending) => `${cut(content.subject, longestLine)}\n\n`

/** Text of at most so many characters, cut where a character ends. */
const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

const longestCard = 28_000

/**
 * Adaptive Card for a workflow of Teams; alarms that do not fit into 28 kB are only counted, and the text of a
 * template is cut.
 */
export function teamsBody(sending: Sending, longest = longestText): string {
  const { content } = sending
  const body = JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: cardBlocks(sending, longest),
          actions: [
            { type: 'Action.OpenUrl', title: words[content.language].open, url: content.url },
          ],
        },
      },
    ],
  })
  if (Buffer.byteLength(body) <= longestCard || longest < 100) return body
  if (sending.config.template === undefined && content.alarms.length > 0) {
    const alarms = content.alarms.slice(0, -1)
    return teamsBody({ ...sending, content: { ...content, alarms } })
  }
  // A character takes up to four bytes, and more where it is escaped.
  return teamsBody(sending, Math.floor(longest * 0.75))
}

/** Characters of a text of a template at first. */
const longestText = 20_000

function cardBlocks({ content, config }: Sending, longest: number) {
  const markdown = (text: string) => escapeFor('markdown', text)
  const block = (text: string, more: object = {}) => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...more,
  })
  if (config.template !== undefined) {
    return [block(cut(renderTemplate(config.template, content, 'markdown'), longest))]
  }
  return [
    block(markdown(cut(content.subject, 500)), { weight: 'Bolder', size: 'Medium' }),
    ...texts(content.lead).map((text) => block(markdown(cut(text, longest)))),
    ...content.alarms.flatMap((alarm) => [
      block(markdown(cut(headOf(alarm), 1_000)), { weight: 'Bolder' }),
      {
        type: 'FactSet',
        facts: alarmLines(alarm, content).map(([title, value]) => ({
          title,
          value: markdown(cut(value, 1_000)),
        })),
      },
    ]),
    ...[restOf(content), content.repeated, content.why]
      .flatMap(texts)
      .map((text) => block(markdown(text), { isSubtle: true })),
  ]
}

const texts = (text: string) => (text === '' ? [] : [text])

/** Most blocks of a message, and characters of one. */
const mostBlocks = 50
const longestBlock = 3_000

export function slackBody({ content, config }: Sending) {
  const say = (text: string) => cut(escapeFor('slack', text), longestBlock)
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
  const text = say(content.subject)
  if (config.template !== undefined) {
    const own = cut(renderTemplate(config.template, content, 'slack'), longestBlock)
    return JSON.stringify({ text, blocks: [section(own)] })
  }
  const alarms = content.alarms.map((alarm) =>
    section(
      say([headOf(alarm), ...alarmLines(alarm, content).map((line) => line.join(': '))].join('\n')),
    ),
  )
  const rest = [content.lead, restOf(content), content.repeated].flatMap(texts).map(say)
  const link = {
    type: 'button',
    text: { type: 'plain_text', text: words[content.language].open },
    url: content.url,
  }
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: cut(content.subject, 150) } },
    ...alarms,
    ...rest.map(section),
    { type: 'actions', elements: [link] },
    ...texts(content.why).map((why) => ({
      type: 'context',
      elements: [{ type: 'plain_text', text: why }],
    })),
  ]
  return JSON.stringify({ text, blocks: blocks.slice(0, mostBlocks) })
}

/** Priorities of ntfy, 1 to 5, by severity 0 to 6. */
const priorities = [2, 2, 3, 3, 4, 4, 5]
const longestNtfy = 4_000

export function ntfyBody(sending: Sending) {
  const { content, config } = sending
  const message = textThatFits(sending, (text) => Buffer.byteLength(text) <= longestNtfy)
  return JSON.stringify({
    topic: config.topic,
    title: cut(content.subject, 250),
    // Longer texts become attachments; its limit is in bytes.
    message: cutBytes(message, longestNtfy),
    priority: priorities[content.severity] ?? 3,
    click: content.url,
  })
}

function cutBytes(text: string, most: number) {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  return `${new TextDecoder().decode(bytes.subarray(0, most - 3)).replace(/\uFFFD$/, '')}…`
}

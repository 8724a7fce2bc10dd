import { hash } from 'node:crypto'
import { oneLine } from '@longreach/mail/mail-rules'
import { renderTemplate } from '../channels/templates.ts'
import type { Outgoing, RunFacts } from './contract.ts'
import { plainRunText, type Prepared, type RunContent } from './prepared-rules.ts'
import { timeText } from '../texts/alarm-text.ts'
import type { Language } from '../asked-contract.ts'

type Asked = { facts: RunFacts; language: Language; zone: string; origin: string }

/** Content of a run, with the texts of its values. */
export function runContent({ facts, language, zone, origin }: Asked): RunContent {
  const text = (value: RunFacts['value']) => (value === null ? '' : String(value))
  return {
    ...facts,
    value: text(facts.value),
    inputs: facts.inputs.map(({ path, value }) => ({ path, value: text(value) })),
    time: timeText(facts.timeMs, language, zone),
    url: `${origin}/trigger`,
    subject: oneLine(`${facts.trigger}: ${facts.device || facts.deviceId}`, longestSubject),
  }
}

const longestSubject = 200
const longestTelegram = 4_096
const longestCardText = 20_000

type Addressed = { recipient: string; prepared: Prepared }

/** Requests of a message, one for each recipient; a template that cannot be written is an error. */
export function prepare(outgoing: Outgoing, content: RunContent, facts: RunFacts): Addressed[] {
  const text = (target: 'plain' | 'markdown') =>
    outgoing.template.trim() === ''
      ? plainRunText(content)
      : renderTemplate(outgoing.template, content, target)
  switch (outgoing.kind) {
    case 'mail': {
      const subject =
        outgoing.subject.trim() === ''
          ? content.subject
          : oneLine(renderTemplate(outgoing.subject, content, 'plain'), longestSubject)
      return outgoing.to.map((to) => ({
        recipient: to,
        prepared: { kind: 'mail', to, subject, text: text('plain') },
      }))
    }
    case 'webhook': {
      const { method, url, headers, template } = outgoing
      const body =
        template.trim() === ''
          ? JSON.stringify({
              ...content,
              type: 'longreach.trigger',
              value: facts.value,
              inputs: facts.inputs,
            })
          : renderTemplate(template, content, 'json')
      const sent = method === 'GET' ? '' : body
      return [
        { recipient: hostOf(url), prepared: { kind: 'call', method, url, headers, body: sent } },
      ]
    }
    case 'telegram': {
      const { token, chatId } = outgoing
      const url = `https://api.telegram.org/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/sendMessage`
      const body = JSON.stringify({
        chat_id: chatId,
        text: shortened(text('plain'), longestTelegram),
        link_preview_options: { is_disabled: true },
      })
      return [{ recipient: `chat ${chatId}`, prepared: post(url, body) }]
    }
    case 'teams': {
      const url = outgoing.endpoint
      return [
        {
          recipient: hostOf(url),
          prepared: post(url, cardOf(shortened(text('markdown'), longestCardText))),
        },
      ]
    }
  }
}

const post = (url: string, body: string): Prepared => ({
  kind: 'call',
  method: 'POST',
  url,
  headers: {},
  body,
})

/** Text of at most so many characters, shortened where a character ends. */
const shortened = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

const cardOf = (text: string) =>
  JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', text, wrap: true }],
        },
      },
    ],
  })

/** Server of an address, for lists. */
function hostOf(url: string) {
  return URL.canParse(url) ? new URL(url).host : ''
}

/** Request of a message for people: what is sent, without secrets. */
export function shownRequest([first, ...others]: readonly Addressed[]) {
  if (!first) return ''
  const { prepared, recipient } = first
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const text =
    prepared.kind === 'mail'
      ? `mail to ${recipient}${more}: ${prepared.subject}\n\n${prepared.text}`
      : `${prepared.method} ${recipient}\n\n${prepared.body}`
  return shortened(text, 4_000)
}

/** Id of a delivery of a message to one recipient: the same at every attempt to hand it over. */
export function deliveryId(messageId: string, recipient: string) {
  const text = hash('sha256', `${messageId} ${recipient}`, 'hex')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-8${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`
}

import mustache from 'mustache'
import type { Content } from '../texts/content.ts'

/** Form of the text that a template writes, by which values are escaped. */
export type Target = 'json' | 'markdown' | 'slack' | 'plain'

const longestTemplate = 20_000
const longestText = 64_000

/** Fault of a template with its line, counted from 1. */
type TemplateFault = { line: number; message: string }

const backslashed = (text: string) => text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&')
const slackEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escapes: Record<Target, (text: string) => string> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  markdown: backslashed,
  slack: (text) => text.replace(/[&<>]/g, (character) => slackEntities[character] ?? ''),
  plain: (text) => text,
}

/** Text in which no character of a value has a meaning in the target. */
export const escapeFor = (target: Target, text: string) => escapes[target](text)

/** Fields of a message and of each of its alarms. */
const fields = ['kind', 'subject', 'total', 'severity', 'lead', 'url', 'why', 'repeated']
const alarmFields = [
  'id',
  'device',
  'deviceId',
  'organization',
  'name',
  'text',
  'severity',
  'severityNumber',
  'since',
  'sinceMs',
  'overSince',
  'value',
  'limit',
  'consequence',
  'response',
  'respondBy',
]

class TooLong extends Error {}

/** Text of a template; longer than 64 kB is an error. */
export function renderTemplate(template: string, content: Content, target: Target) {
  let length = 0
  const escape = (value: unknown) => {
    const text = escapes[target](String(value))
    length += text.length
    if (length > longestText) throw new TooLong('the text is longer than 64 kB')
    return text
  }
  // A writer of its own: the common one keeps every template in memory.
  const text = new mustache.Writer().render(template, content, {}, { escape })
  if (text.length > longestText) throw new TooLong('the text is longer than 64 kB')
  return text
}

/** First fault of a template; undefined when it is good. */
export function templateFault(template: string, target: Target): TemplateFault | undefined {
  if (template.length > longestTemplate) {
    return { line: 1, message: 'is longer than 20,000 characters' }
  }
  try {
    const fault = tokensFault(new mustache.Writer().parse(template) as Token[], template, []) // its tokens are lists
    if (fault) return fault
    const text = renderTemplate(template, hostileContent, target)
    if (target === 'json') JSON.parse(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof SyntaxError) return { line: 1, message: `does not write JSON: ${message}` }
    const [, at] = /at (\d+)$/.exec(message) ?? []
    return { line: lineAt(template, Number(at ?? 0)), message }
  }
}

/** Kind, name, begin, end, and what a section contains. */
type Token = [string, string, number, number, Token[]?, number?]

function tokensFault(
  tokens: Token[],
  template: string,
  sections: string[],
): TemplateFault | undefined {
  for (const [kind, name, at, , inside] of tokens) {
    const fault = (message: string) => ({ line: lineAt(template, at), message })
    if (kind === '&') return fault(`{{{${name}}}} is not escaped; write {{${name}}}`)
    if (kind === '>') return fault(`there is no other template ${name}`)
    if (kind === 'name' || kind === '#' || kind === '^') {
      if (!isKnownField(name, sections)) return fault(`there is no field ${name}`)
      if (name === 'alarms' && sections.includes(name)) return fault('alarms contains no alarms')
    }
    const deeper = inside && tokensFault(inside, template, [...sections, name])
    if (deeper) return deeper
  }
  return undefined
}

function isKnownField(name: string, sections: readonly string[]) {
  if (name === '.' || name === 'alarms' || fields.includes(name)) return true
  return sections.includes('alarms') && alarmFields.includes(name)
}

const lineAt = (template: string, at: number) => template.slice(0, at).split('\n').length

const hostile = '"\\\n\t{}</b>&`*_'
/** Content whose values contain what breaks a form that is not escaped. */
const hostileContent: Content = {
  kind: 'alarms',
  language: 'en',
  subject: hostile,
  alarms: [
    {
      ...(Object.fromEntries(alarmFields.map((name) => [name, hostile])) as Record<
        Exclude<keyof Content['alarms'][number], 'severityNumber' | 'sinceMs'>,
        string
      >), // each of the fields
      severityNumber: 5,
      sinceMs: 1_700_000_000_000,
    },
  ],
  total: 1,
  severity: 5,
  lead: hostile,
  url: 'https://portal.example.org/alarms',
  why: hostile,
  repeated: hostile,
}

import type { Permission } from '@longreach/authorization/permissions'
import type { Tone } from '@longreach/ui/StatusDot'
import type { MessageId, Translate } from '@longreach/ui/use-words'
import type { useOptionalWords } from '@longreach/ui/use-words'
import type { useAuditText } from '../../parts/audit/audit-text.ts'

/** Sources of lines. */
export type SourceName =
  | 'audit'
  | 'delivery'
  | 'failedDelivery'
  | 'mail'
  | 'device'
  | 'action'
  | 'run'

/** Words in which sources tell their lines. */
export type LineWords = {
  t: Translate
  findWords: ReturnType<typeof useOptionalWords>
  audit: ReturnType<typeof useAuditText>
}

/** Texts of a line; empty ones are shown as a dash. */
type LineTexts = {
  who: string
  what: string
  on: string
  state: { tone: Tone; text: string } | undefined
}

type LineFact = { label: MessageId; value: string }

/** Line of the log. */
export type LogLine = {
  /** Source and id: unique in the log. */
  key: string
  source: SourceName
  /** Milliseconds since 1970. */
  at: number
  organization: string
  texts: (words: LineWords) => LineTexts
  /** Details for the panel; those without a value are left out. */
  facts: (words: LineWords) => LineFact[]
  /** Sends a failed message again. */
  again?: { needs: Permission; send: () => Promise<unknown> }
  /** Id of the audit entry that the panel shows in their stead. */
  entry?: number
}

/** Question to a source. */
export type LogQuestion = {
  /** resourceId, with `.*` for all below too. */
  organization: string
  from: number
  to: number | undefined
  text: string
  person: string
  device: string
}

/** Source of lines: the permissions that it needs, and its pages, each newest first. */
export type LogSource = {
  name: SourceName
  needs: readonly Permission[]
  read: (
    question: LogQuestion,
    /** `next` of the page before; undefined for the first. */
    next: string | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<{ lines: LogLine[]; next: string | null }>
}

/** Fields of a question that services of this product share; empty texts are left out. */
export const sharedFields = ({ from, to, text, person, device }: LogQuestion) => ({
  ...(to !== undefined && { to }),
  ...(text !== '' && { text }),
  ...(person !== '' && { person }),
  ...(device !== '' && { device }),
  from,
})

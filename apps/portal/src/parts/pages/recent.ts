import { inBrowser } from '../kept/remembered.ts'
import type { Session } from '../session/session.ts'

/** A device or a page that a person opened, with when, in ms. */
type Recent = { at: number } & (
  | { kind: 'device'; id: string; label: string }
  | { kind: 'page'; id: string }
)
type Opened = { kind: 'device'; id: string; label: string } | { kind: 'page'; id: string }
type Who = Pick<Session, 'subject' | 'organization'>

/** Of each kind so many are kept. */
const mostRecent = 12
const keyOf = ({ subject, organization }: Who) => `recent.${subject}.${organization.resourceId}`

/** Pages and devices that the person opened in the organization, in this browser; the newest first. */
export const recentOf = (who: Who) => inBrowser.get<Recent[]>(keyOf(who), [])

/** Remember what is opened now; of each kind the oldest are forgotten. */
export function rememberOpened(who: Who, opened: Opened) {
  const isOther = (one: Recent) => one.kind !== opened.kind || one.id !== opened.id
  const all: Recent[] = [{ ...opened, at: Date.now() }, ...recentOf(who).filter(isOther)]
  const count = { device: 0, page: 0 }
  inBrowser.set(
    keyOf(who),
    all.filter(({ kind }) => (count[kind] += 1) <= mostRecent),
  )
}

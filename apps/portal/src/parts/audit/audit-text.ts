import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useActorName } from './actor-name.ts'
import type { Search } from '../pages/section.ts'
import type { Entry } from './audit-calls.ts'
import { type AuditNoun, nounNamed, nounOf } from './audit-nouns.ts'

/**
 * Texts of audit entries: of things that have no permissions of their own by a noun of their own. A resource or
 * action without a word shows its name.
 */
export function useAuditText() {
  const t = useWords()
  const findWords = useOptionalWords()
  const nameOf = useActorName()
  const word = (kind: 'resource' | 'action', name: string) =>
    findWords(`log.${kind}.${name}`) ?? spaced(name)
  const resource = (name: string) => word('resource', name)
  const action = (name: string) => word('action', name)
  return {
    resource,
    action,
    /** Word of a resource, or of a noun of things that have no permissions of their own. */
    thing: (name: string) => {
      const noun = nounNamed(name)
      return noun === undefined ? resource(name) : t(`log.noun.${noun}`)
    },
    /** `Device: changed`; some calls have words of their own. */
    what: (entry: Pick<Entry, 'resource' | 'action' | 'call'>) => {
      const noun = nounOf(entry.call)
      const about = noun === undefined ? resource(entry.resource) : t(`log.noun.${noun}`)
      return (
        findWords(`log.call.${entry.call}`) ??
        t('log.says', { resource: about, action: action(entry.action) })
      )
    },
    /** Name of the actor. */
    who: ({ actor: { kind, username, apiKey } }: Pick<Entry, 'actor'>) => {
      if (kind === 'apiKey')
        return t('log.keyOf', { id: String(apiKey ?? '?'), name: nameOf(username) })
      return username === '' ? t(`log.kind.${kind}`) : nameOf(username)
    },
    /** Label of the target, else its id. */
    on: ({ label, target }: Pick<Entry, 'label' | 'target'>) => label || target,
  }
}

/** `renewSecret` as `renew secret`. */
const spaced = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

type Page = { to: string; search?: Search }
const inAdmin = (search: Search): Page => ({ to: '/admin/notifications', search })

const pages: Partial<Record<string, (id: string) => Page>> = {
  devices: (id) => ({ to: `/devices/${id}` }),
  triggers: (id) => ({ to: `/trigger/${id}` }),
}
const pagesOfNouns: Partial<Record<AuditNoun, (id: string) => Page>> = {
  alarmRule: (id) => ({ to: `/alarms/rules/${id}` }),
  ruleOverride: (id) => ({ to: `/alarms/rules/${id}` }),
  shelf: (shelf) => ({ to: '/alarms/shelved', search: { shelf } }),
  alarmSettings: () => ({ to: '/storage' }),
  alarmView: () => ({ to: '/alarms' }),
  notificationRule: () => inAdmin({}),
  channel: () => inAdmin({ tab: 'channels' }),
  escalation: () => inAdmin({ tab: 'escalations' }),
  schedule: (schedule) => inAdmin({ tab: 'on-call', schedule }),
  calendar: (schedule) => inAdmin({ tab: 'on-call', schedule }),
  delivery: () => inAdmin({ tab: 'deliveries' }),
  blockedActions: () => ({ to: '/trigger' }),
}

/** Address of the page of an entry's target; undefined if it has no page. */
export function pageOf({ resource, target, action, call }: Entry): Page | undefined {
  if (target === '' || action === 'delete' || !/^[\w-]+$/.test(target)) return undefined
  const noun = nounOf(call)
  const page = noun === undefined ? pages[resource] : pagesOfNouns[noun]
  return page?.(encodeURIComponent(target))
}

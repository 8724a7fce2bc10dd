import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useActorName } from './actor-name.ts'
import type { Entry } from './audit-calls.ts'

/** Texts of audit entries. A resource or action without a word of its own shows its name. */
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
    /** `Device: changed`; some calls have words of their own. */
    what: (entry: Pick<Entry, 'resource' | 'action' | 'call'>) =>
      findWords(`log.call.${entry.call}`) ??
      t('log.says', { resource: resource(entry.resource), action: action(entry.action) }),
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

const pages: Record<string, (id: string) => string> = {
  devices: (id) => `/devices/${encodeURIComponent(id)}`,
}

/** Path of the page of an entry's target; undefined if it has no page. */
export const pageOf = ({ resource, target, action }: Entry) =>
  target === '' || action === 'delete' || !/^[\w-]+$/.test(target)
    ? undefined
    : pages[resource]?.(target)

import { api } from '../../parts/api/api.ts'
import type { Draft, Entry } from './draft-rules.ts'

type Where = { org: string; policy: string }
export type Fault = { entry: Entry; error: unknown }

/** Make the changes one after the other; those that failed come back, the others are done. */
export async function saveDraft(where: Where, draft: Draft): Promise<Fault[]> {
  const faults: Fault[] = []
  const attempt = async (entries: readonly Entry[], change: () => Promise<unknown>) => {
    if (entries.length === 0) return
    try {
      await change()
    } catch (error) {
      faults.push(...entries.map((entry) => ({ entry, error })))
    }
  }
  const devices = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === 'device')
  const ids = (entries: readonly Entry[]) => devices(entries).map(({ id }) => id)
  await attempt([...devices(draft.put), ...devices(draft.out)], () =>
    api.core.changePolicyDevices({
      params: where,
      body: { add: ids(draft.put), remove: ids(draft.out) },
    }),
  )
  for (const entry of draft.put) await attempt(others(entry), () => addEntry(where, entry))
  for (const entry of draft.out) await attempt(others(entry), () => removeEntry(where, entry))
  return faults
}

const others = (entry: Entry) => (entry.kind === 'device' ? [] : [entry])

function addEntry({ org, policy: policies }: Where, entry: Entry) {
  const { kind, id } = entry
  if (kind === 'person') return api.core.addUserPolicies({ params: { org, user: id, policies } })
  if (kind === 'userGroup') {
    return api.core.addGroupPolicies({ params: { org, group: id, policies } })
  }
  return changeRole({ org, policy: policies }, entry)
}

function removeEntry({ org, policy: policies }: Where, entry: Entry) {
  const { kind, id } = entry
  if (kind === 'person') return api.core.removeUserPolicies({ params: { org, user: id, policies } })
  if (kind === 'userGroup') {
    return api.core.removeGroupPolicies({ params: { org, group: id, policies } })
  }
  return changeRole({ org, policy: policies }, { ...entry, actions: [] })
}

/** The rule of a role for this group becomes what is asked for; its other rules stay. */
async function changeRole({ org, policy }: Where, { id, actions = [] }: Entry) {
  const params = { org, role: id }
  const { rules } = await api.core.role({ params })
  const deviceGroup = Number(policy)
  const rest = rules.filter((rule) => rule.deviceGroup !== deviceGroup)
  const own = { resource: 'devices' as const, actions: [...actions], deviceGroup }
  await api.core.updateRole({
    params,
    body: { rules: actions.length === 0 ? rest : [...rest, own] },
  })
}

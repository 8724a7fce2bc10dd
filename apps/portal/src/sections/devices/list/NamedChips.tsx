import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useSession } from '../../../parts/session/session.ts'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { type Change, Chip } from './FilterParts.tsx'

/** Chips of filters that the address knows by an id, and people by a name. */
export function NamedChips({ state, onChange }: { state: ListState; onChange: Change }) {
  const t = useWords()
  const organization = useReach()
  const org = useSession().organization.resourceId
  const { preset = '', group } = state
  const presetAsked = { params: { id: preset }, query: { organization } }
  const chosen = useQuery({ ...query(api.mappings.preset, presetAsked), enabled: preset !== '' })
  const groupAsked = { params: { org, policy: group ?? 0 } }
  const found = useQuery({
    ...query(api.core.securityPolicy, groupAsked),
    enabled: group !== undefined,
  })
  return (
    <>
      {preset !== '' && (
        <Chip
          name={t('devices.preset')}
          value={chosen.data?.value.name ?? preset}
          onRemove={() => void onChange({ preset: undefined })}
        />
      )}
      {group !== undefined && (
        <Chip
          name={t('devices.group')}
          value={found.data?.name ?? String(group)}
          onRemove={() => void onChange({ group: undefined })}
        />
      )}
    </>
  )
}

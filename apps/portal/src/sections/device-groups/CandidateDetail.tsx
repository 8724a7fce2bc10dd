import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { personName } from '../../parts/access/right-text.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './device-groups.module.css'
import type { Entry } from './draft-rules.ts'
import { useGroupName } from './GroupType.tsx'

/** Details of an entry: groups of a person or device, members of a group, rights of a role. */
export function CandidateDetail({ entry }: { entry: Entry }) {
  const t = useWords()
  const errorText = useErrorText()
  const lines = useLines(entry)
  if (lines.error) return <ErrorPanel {...errorText(lines.error)} />
  if (lines.data === undefined) return <p className={classes.detail}>…</p>
  return (
    <p className={classes.detail}>
      {t(`device-groups.detail.${entry.kind}`)}{' '}
      {lines.data.length === 0 ? t('device-groups.nothing') : lines.data.join(', ')}
    </p>
  )
}

function useLines({ kind, id }: Entry) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const nameOf = useGroupName()
  const person = useQuery({
    ...query(api.core.userPolicies, { params: { org, user: id }, query: {} }),
    enabled: kind === 'person',
  })
  const group = useQuery({
    ...query(api.core.groupMembers, { params: { org, group: id } }),
    enabled: kind === 'userGroup',
  })
  const role = useQuery({
    ...query(api.core.role, { params: { org, role: id } }),
    enabled: kind === 'role',
  })
  const device = useQuery({
    ...query(api.core.securityPolicies, { params: { org }, query: { deviceId: id } }),
    enabled: kind === 'device',
  })
  const found = {
    person: { ...person, data: person.data?.content.map(nameOf) },
    userGroup: { ...group, data: group.data?.map(personName) },
    role: {
      ...role,
      data: role.data?.rules
        .filter(({ resource, deviceGroup }) => resource === 'devices' && deviceGroup === null)
        .flatMap(({ actions }) => actions.map((action) => t(`access.action.${action}`))),
    },
    device: { ...device, data: device.data?.content.map(nameOf) },
  }
  return found[kind]
}

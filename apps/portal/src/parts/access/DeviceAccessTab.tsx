import { late } from '@longreach/ui/late'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useFeature } from '../session/features.ts'
import { withWords } from '../words/spoken-words.ts'

const DeviceAccess = late(
  () => withWords(import('./DeviceAccess.tsx'), 'access'),
  'DeviceAccess',
  <RowsSkeleton rows={6} />,
)

const DeviceAccount = late(
  () => withWords(import('./DeviceAccount.tsx'), 'access'),
  'DeviceAccount',
  <RowsSkeleton rows={6} />,
)

type Props = { device: string; org: string; title: string; help: string }

/** Tab of a device's page: people with permissions on it, and its service account. */
export function DeviceAccessTab({ device, org, title, help }: Props) {
  const withAccount = useFeature('deviceServiceAccountAssociation')
  return (
    <Panel title={title}>
      <p style={{ margin: '0 0 10px' }}>{help}</p>
      <>
        <DeviceAccess device={device} />
        {withAccount && <DeviceAccount org={org} device={device} />}
      </>
    </Panel>
  )
}

import { late } from '@longreach/ui/late'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { Suspense } from 'react'
import { useFeature } from '../session/features.ts'
import { needWords } from '../words/spoken-words.ts'

const DeviceAccess = late(async () => {
  const [module] = await Promise.all([import('./DeviceAccess.tsx'), needWords('access')])
  return { default: module.DeviceAccess }
})

const DeviceAccount = late(async () => {
  const [module] = await Promise.all([import('./DeviceAccount.tsx'), needWords('access')])
  return { default: module.DeviceAccount }
})

type Props = { device: string; org: string; title: string; help: string }

/** Tab of a device's page: people with permissions on it, and its service account. */
export function DeviceAccessTab({ device, org, title, help }: Props) {
  const withAccount = useFeature('deviceServiceAccountAssociation')
  return (
    <Panel title={title}>
      <p style={{ margin: '0 0 10px' }}>{help}</p>
      <Suspense fallback={<RowsSkeleton rows={6} />}>
        <DeviceAccess device={device} />
        {withAccount && <DeviceAccount org={org} device={device} />}
      </Suspense>
    </Panel>
  )
}

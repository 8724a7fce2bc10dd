import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { lazy, Suspense } from 'react'
import { needWords } from './spoken-words.ts'

const DeviceAccess = lazy(async () => {
  const [module] = await Promise.all([import('./DeviceAccess.tsx'), needWords('access')])
  return { default: module.DeviceAccess }
})

type Props = { device: string; title: string; help: string }

/** Who may do what on a device and through what, for a tab of its page. */
export function DeviceAccessTab({ device, title, help }: Props) {
  return (
    <Panel title={title}>
      <p style={{ margin: '0 0 10px' }}>{help}</p>
      <Suspense fallback={<RowsSkeleton rows={6} />}>
        <DeviceAccess device={device} />
      </Suspense>
    </Panel>
  )
}

import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { PageHeader, Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { deviceQuery, useTags } from '../../parts/devices/devices.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { ChartStep } from './ChartStep.tsx'
import { ConnectStep } from './ConnectStep.tsx'
import { KindStep } from './KindStep.tsx'
import { NameStep } from './NameStep.tsx'
import { ValuesStep } from './ValuesStep.tsx'
import classes from './walkthrough.module.css'
import {
  type Device,
  type DeviceStepProps,
  type Step,
  steps,
  type StepProps,
  type Walk,
  walkOf,
} from './walkthrough-url.ts'

const askEveryMs = 2_000

/** From nothing to a chart in five steps, for somebody who has never seen the portal. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const walk = walkOf(search)
  const org = useReach()
  const found = useQuery({
    ...deviceQuery(org, walk.device ?? ''),
    enabled: walk.device !== undefined,
    refetchInterval: askEveryMs,
  })
  const device = walk.device === undefined ? undefined : found.data?.value
  const props: StepProps = {
    walk,
    change: (patch) => void change(patch),
    go: (step, patch = {}) => void change({ ...patch, step }, { push: true }),
  }
  const missing = walk.device !== undefined && found.error
  return (
    <div className={classes.walk}>
      <PageHeader
        title={t('walkthrough.title')}
        help={t('walkthrough.help')}
        actions={
          <Button variant="subtle" component={Link} to="/devices">
            {t('walkthrough.skip')}
          </Button>
        }
      />
      <Path walk={walk} device={device} go={(step) => props.go(step)} />
      <Panel title={t('walkthrough.stepTitle', { step: walk.step, name: t(titleOf(walk.step)) })}>
        {missing ? (
          <ErrorPanel {...errorText(missing)} onRetry={() => void found.refetch()} />
        ) : walk.step <= 2 ? (
          <EarlyStep {...props} device={device} />
        ) : device ? (
          <DeviceStep key={device.deviceId} {...props} device={device} />
        ) : (
          <RowsSkeleton rows={4} />
        )}
      </Panel>
    </div>
  )
}

const titleOf = (step: Step) => `walkthrough.step.${step}` as const

function EarlyStep(props: StepProps & { device: Device | undefined }) {
  const { step, device } = props.walk
  if (step === 1) return <KindStep {...props} />
  return device !== undefined && !props.device ? <RowsSkeleton rows={3} /> : <NameStep {...props} />
}

function DeviceStep(props: DeviceStepProps) {
  const { step } = props.walk
  if (step === 3) return <ConnectStep {...props} />
  return step === 4 ? <ValuesStep {...props} /> : <ChartStep {...props} />
}

type PathProps = { walk: Walk; device: Device | undefined; go: (step: Step) => void }

/** The five steps: which are done, where one is, and a way back and forth. */
function Path(props: PathProps) {
  return props.device ? (
    <PathOfDevice {...props} device={props.device} />
  ) : (
    <Marks {...props} done={[props.walk.kind !== undefined, false, false, false, false]} />
  )
}

function PathOfDevice({ device, ...props }: PathProps & { device: Device }) {
  const { tags } = useTags(device.deviceId, { live: false })
  const value = tags.some(({ last }) => last !== undefined)
  const seen = device.connected || device.lastConnUpdateAt > 0
  return <Marks {...props} done={[true, true, seen, device.presetId !== null, value]} />
}

type MarksProps = Pick<PathProps, 'walk' | 'go'> & { done: readonly boolean[] }

function Marks({ walk, done, go }: MarksProps) {
  const t = useWords()
  const reachable = (step: number) =>
    walk.device !== undefined || step === 1 || (step === 2 && walk.kind !== undefined)
  return (
    <nav aria-label={t('walkthrough.steps')}>
      <ol className={classes.path}>
        {steps.map((step) => (
          <li key={step}>
            <button
              type="button"
              className={classes.mark}
              disabled={!reachable(step)}
              data-done={done[step - 1] === true}
              aria-current={step === walk.step ? 'step' : undefined}
              title={t(done[step - 1] === true ? 'walkthrough.doneStep' : 'walkthrough.openStep', {
                step,
                name: t(titleOf(step)),
              })}
              onClick={() => go(step)}
            >
              <span className={classes.number} aria-hidden="true">
                {done[step - 1] === true ? '✓' : step}
              </span>
              <span>{t(titleOf(step))}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

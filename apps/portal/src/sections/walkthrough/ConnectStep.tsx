import { CopyText } from '@longreach/ui/CopyText'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, Tabs } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useTags } from '../../parts/devices/devices.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { commandFor, serviceFor, type System } from './connect-commands.ts'
import classes from './walkthrough.module.css'
import type { Kind } from './walkthrough-url.ts'
import type { DeviceStepProps } from './walkthrough-url.ts'

/** The command for the machine's side; the page waits for the device and turns green. */
export function ConnectStep({ walk, go, device }: DeviceStepProps) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useReach()
  const may = useMay()('devices:update')
  const { tags } = useTags(device.deviceId)
  const issue = useMutation({
    mutationFn: () =>
      api.platform.issueActivationKey({ params: { org, deviceId: device.deviceId }, body: {} }),
  })
  const seen = device.connected || tags.some(({ last }) => last !== undefined)
  const before = device.lastConnUpdateAt > 0
  const kind = walk.kind ?? 'gateway'
  return (
    <div className={classes.content}>
      <p className={classes.dim}>{t(`walkthrough.connectText.${kind}`)}</p>
      {issue.data ? (
        <Commands
          kind={kind}
          activationKey={issue.data.activationKey}
          pairing={issue.data.pairingEndpoint}
        />
      ) : (
        <>
          <p className={classes.dim}>{t('walkthrough.keyText')}</p>
          {!may && <p className={classes.warn}>{t('devices.mayNotUpdate')}</p>}
          {issue.error && <ErrorPanel {...errorText(issue.error)} />}
          <div className={classes.bar}>
            <Button
              variant={seen || before ? 'default' : 'filled'}
              disabled={!may}
              loading={issue.isPending}
              onClick={() => issue.mutate()}
            >
              {t('walkthrough.keyVerb')}
            </Button>
          </div>
        </>
      )}
      <div className={classes.waiting} data-done={seen} role="status">
        <StatusDot tone={seen ? 'ok' : 'off'}>
          <strong>{t(seen ? 'walkthrough.connected' : 'walkthrough.waiting')}</strong>
        </StatusDot>
      </div>
      <div className={classes.bar}>
        <Button variant="default" onClick={() => go(2)}>
          {t('walkthrough.back')}
        </Button>
        <Button variant={seen ? 'filled' : 'default'} onClick={() => go(4)}>
          {t(seen ? 'walkthrough.next' : 'walkthrough.later')}
        </Button>
      </div>
    </div>
  )
}

type CommandsProps = { kind: Kind; activationKey: string; pairing: string }

function Commands({ kind, activationKey: key, pairing }: CommandsProps) {
  const t = useWords()
  const [system, setSystem] = useState<System>(
    navigator.userAgent.includes('Windows') ? 'windows' : 'unix',
  )
  const { origin } = location
  return (
    <>
      <p className={classes.warn}>{t('walkthrough.keyOnce')}</p>
      <CopyText text={key} label={t('devices.key')} />
      <Tabs
        variant="default"
        value={system}
        onChange={(value) => setSystem(value === 'windows' ? 'windows' : 'unix')}
      >
        <Tabs.List>
          <Tabs.Tab value="unix">Linux, macOS</Tabs.Tab>
          <Tabs.Tab value="windows">Windows (PowerShell)</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={system} pt={10} className={classes.content}>
          <Command text={commandFor({ kind, system, key, origin, pairing })} />
          {kind === 'gateway' && (
            <>
              <p className={classes.dim}>{t('walkthrough.serviceText')}</p>
              <Command text={serviceFor({ system, key, origin })} />
            </>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Command({ text }: { text: string }) {
  const t = useWords()
  return (
    <div className={classes.command}>
      <CopyText text={text} label={t('devices.command')} />
    </div>
  )
}

import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { formatTime } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useActorName } from '../../../parts/audit/actor-name.ts'
import { api, query } from '../../../parts/api/api.ts'
import { type TagWithValue, useTags } from '../../../parts/devices/devices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { shortPath } from '../../../parts/devices/tags.ts'
import { useValueText } from '../../../parts/devices/value-text.ts'
import classes from './device-page.module.css'
import { patienceMs, useSecondPerson, writesChanged } from './write-calls.ts'

type Request = Result<(typeof platformContract)['endpoints']['writeRequests']>[number]

/** The writes that wait for a second person; nothing where none do. */
export function WriteRequests({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const org = useReach()
  const secondPerson = useSecondPerson()
  const { data = [] } = useQuery({
    ...query(api.platform.writeRequests, { params: { org, deviceId } }),
    refetchInterval: secondPerson ? 15_000 : false,
  })
  const { tags } = useTags(deviceId, { live: false })
  const waiting = data.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return null
  return (
    <Panel title={t('device-page.write.waiting')}>
      <ul className={classes.list}>
        {waiting.map((request) => (
          <RequestRow
            key={request.id}
            request={request}
            tag={tags.find(({ path }) => path === request.modelPath)}
          />
        ))}
      </ul>
    </Panel>
  )
}

type RowProps = { request: Request; tag: TagWithValue | undefined }

function RequestRow({ request, tag }: RowProps) {
  const t = useWords()
  const { locale } = useIntl()
  const valueText = useValueText()
  const { zone } = useLook()
  const nameOf = useActorName()
  const errorText = useErrorText()
  const org = useReach()
  const may = useMay()('devices:update')
  const { id, deviceId, modelPath, before, v, own, by, expiresAt, reason } = request
  const params = { org, deviceId, id }
  const decide = useMutation({
    mutationFn: (approved: boolean) =>
      approved
        ? api.platform.approveWrite({ params, body: { timeoutMs: patienceMs } })
        : api.platform.refuseWrite({ params }),
    onSettled: () => writesChanged(),
  })
  // Who approves reads what the device will get, too.
  const show = (value: unknown) => valueText.bothText(value, tag?.unit)
  return (
    <li className={classes.writeRow}>
      <b>{`${tag?.name ?? shortPath(modelPath)}: ${show(before)} → ${show(v)}`}</b>
      <span className={classes.dim}>
        {`${nameOf(by)} · ${t('device-page.write.until', { time: formatTime(new Date(expiresAt), locale, zone) })}`}
      </span>
      {reason !== null && <span>{reason}</span>}
      {decide.error && <ErrorPanel {...errorText(decide.error)} />}
      {may && (
        <Group gap="xs">
          {!own && (
            <Button loading={decide.isPending} onClick={() => decide.mutate(true)}>
              {t('device-page.write.approve')}
            </Button>
          )}
          <Button
            variant="default"
            disabled={decide.isPending}
            onClick={() => decide.mutate(false)}
          >
            {t(own ? 'device-page.write.withdraw' : 'device-page.write.refuse')}
          </Button>
        </Group>
      )}
    </li>
  )
}

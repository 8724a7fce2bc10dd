import { RelativeTime } from '@longreach/ui/RelativeTime'
import { PanelSection } from '@longreach/ui/SidePanel'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../api/api.ts'
import { linkTo } from '../pages/page-links.ts'
import { useReach } from '../session/reach.ts'
import { useErrorText } from '../words/error-text.ts'
import { type Delivery, notificationsApi } from './notification-calls.ts'
import classes from './told.module.css'

const tones: Record<Delivery['state'], Tone> = {
  WAITING: 'info',
  SENDING: 'info',
  SENT: 'ok',
  FAILED: 'alarm',
  DROPPED: 'off',
}

/** Messages about an alarm with their recipients, and the way to the reasons. */
export function WhoWasTold({ alarm }: { alarm: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const { data, error } = useQuery({
    ...query(notificationsApi.told, { query: { organization, alarm } }),
    refetchInterval: 15_000,
  })
  return (
    <PanelSection
      title={t('told.title')}
      beside={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...linkTo('/notifications/why', { search: { alarm } })} {...props} />
          )}
        >
          {t('told.why')}
        </Anchor>
      }
    >
      {error && <Text size="sm">{errorText(error).message}</Text>}
      {data?.data.length === 0 && <Text size="sm">{t('told.none')}</Text>}
      <ul className={classes.list}>
        {data?.data.map(({ deliveryId, recipient, channel, state, at }) => (
          <li key={deliveryId}>
            <StatusDot tone={tones[state]}>{t(`told.state.${state}`)}</StatusDot>
            <span className={classes.recipient}>{`${recipient} (${channel})`}</span>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  {...linkTo('/notifications/why', { search: { delivery: deliveryId } })}
                  {...props}
                />
              )}
            >
              <RelativeTime at={new Date(at)} />
            </Anchor>
          </li>
        ))}
      </ul>
      {data?.isMore && <Text size="sm">{t('told.more')}</Text>}
    </PanelSection>
  )
}

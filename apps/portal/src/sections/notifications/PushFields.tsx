import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Fieldset, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query, stale } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi, type PushBrowser } from '../../parts/notifications/notification-calls.ts'
import { useSession } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import {
  browserLabel,
  canPush,
  ownEndpointHash,
  subscribeBrowser,
  unsubscribeBrowser,
} from './browser-push.ts'

const useOwnPlace = () => ({ organization: useSession().organization.resourceId })

const ownKey = ['push', 'endpoint of this browser']

/** Browsers in which the person sees messages, and the switch for this one. */
export function PushFields() {
  const t = useWords()
  const errorText = useErrorText()
  const place = useOwnPlace()
  const known = useQuery(query(notificationsApi.push, { query: place })).data
  const own = useQuery({ queryKey: ownKey, queryFn: ownEndpointHash }).data
  const [isDenied, setDenied] = useState(false)
  const turnOn = useMutation({
    mutationFn: async (publicKey: string) => {
      const subscription = await subscribeBrowser(publicKey)
      setDenied(!subscription)
      if (!subscription) return
      const body = { ...subscription, label: browserLabel() }
      await notificationsApi.addPush({ query: place, body })
      await Promise.all([
        stale(notificationsApi.push),
        queries.invalidateQueries({ queryKey: ownKey }),
      ])
    },
  })
  if (!known) return null
  const isOn = known.subscriptions.some(({ endpointHash }) => endpointHash === own)
  return (
    <Fieldset legend={t('push.title')}>
      <Text size="sm" mb="xs">
        {canPush() ? t('push.help') : t('push.noSupport')}
      </Text>
      {known.subscriptions.map((browser) => (
        <Browser key={browser.id} browser={browser} isOwn={browser.endpointHash === own} />
      ))}
      {canPush() && !isOn && (
        <Button
          variant="default"
          size="compact-sm"
          loading={turnOn.isPending}
          onClick={() => turnOn.mutate(known.publicKey)}
        >
          {t('push.turnOn')}
        </Button>
      )}
      {isDenied && (
        <Text size="sm" mt="xs">
          {t('push.denied')}
        </Text>
      )}
      {turnOn.error && (
        <Text size="sm" mt="xs" c="red">
          {errorText(turnOn.error).message}
        </Text>
      )}
    </Fieldset>
  )
}

function Browser({ browser: { id, label }, isOwn }: { browser: PushBrowser; isOwn: boolean }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const place = useOwnPlace()
  const failed = (error: unknown) => toast({ kind: 'failed', message: errorText(error).message })
  const test = useMutation({
    mutationFn: () => notificationsApi.testPush({ params: { id }, query: place, body: {} }),
    onSuccess: ({ ok, answer }) =>
      toast(
        ok
          ? { message: t('push.testSent') }
          : { kind: 'failed', message: t('push.testFailed', { answer }) },
      ),
    onError: failed,
  })
  const remove = useMutation({
    mutationFn: async () => {
      await notificationsApi.removePush({ params: { id }, query: place })
      if (isOwn) await unsubscribeBrowser()
    },
    onSuccess: () =>
      Promise.all([stale(notificationsApi.push), queries.invalidateQueries({ queryKey: ownKey })]),
    onError: failed,
  })
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" style={{ flex: '1 1 140px' }}>
        {isOwn ? t('push.thisBrowser', { label }) : label}
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${t('push.test')}: ${label}`}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('push.test')}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${t('push.remove')}: ${label}`}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('push.remove')}
      </Button>
    </Group>
  )
}

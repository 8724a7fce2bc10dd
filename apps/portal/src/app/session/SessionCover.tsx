import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { reportProblem } from '../../parts/api/problems.ts'
import type { Identity } from './identity.ts'
import type { OpenEnding } from './session-end.ts'
import { signInBeside } from './sign-in-beside.ts'

type Props = {
  ending: OpenEnding
  identity: Identity
  username: string
  subject: string
  /** The person signed in again: the page goes on. */
  onBack: () => void
  /** To the sign-in page in this tab. */
  onLeave: () => void
}

/**
 * Covers the page when its session ended by itself: nobody sees what is on it, and what is not saved
 * stays there until the person has signed in again.
 */
export function SessionCover(props: Props) {
  const [failures, setFailures] = useState(0)
  const failed = () => setFailures((count) => count + 1)
  return <Cover key={failures} {...props} failed={failures > 0} onFailed={failed} />
}

type CoverProps = Props & { failed: boolean; onFailed: () => void }

function Cover(props: CoverProps) {
  const t = useWords()
  const address = useSignInBeside(props)
  const [beside, setBeside] = useState<'closed' | 'opened' | 'blocked'>('closed')
  const openWindow = () => {
    const opened = window.open(address, 'longreach-sign-in', 'popup,width=520,height=760')
    setBeside(opened === null ? 'blocked' : 'opened')
  }
  const state = beside === 'closed' && props.failed ? 'failed' : beside
  return (
    <Modal.Root
      opened
      fullScreen
      closeOnEscape={false}
      zIndex={1000}
      transitionProps={{ duration: 0 }}
      onClose={() => undefined}
    >
      <Modal.Content>
        <Modal.Body>
          <Stack maw={440} mx="auto" mt="18vh" gap="sm">
            <Modal.Title fz="xl" fw={600}>
              {t('session.title')}
            </Modal.Title>
            <Text>{t(`session.${props.ending}`)}</Text>
            <Text>{t('session.kept', { username: props.username })}</Text>
            <Text role="status">{state === 'closed' ? '' : t(`session.${state}`)}</Text>
            <Group>
              <Button data-autofocus disabled={address === undefined} onClick={openWindow}>
                {t('session.signIn')}
              </Button>
              <Button variant="default" onClick={props.onLeave}>
                {t('session.leave')}
              </Button>
            </Group>
            <Text size="xs" c="dimmed">
              {t('session.leaveHelp')}
            </Text>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The address of a sign-in in a window beside, once it can be opened. */
function useSignInBeside({ identity, ending, username, ...props }: CoverProps) {
  const [address, setAddress] = useState<string>()
  const done = useEffectEvent(() => {
    // Somebody else signed in: this page is not theirs.
    if (identity.keycloak.subject === props.subject) props.onBack()
    else location.reload()
  })
  const failed = useEffectEvent((cause: unknown) => {
    reportProblem('The sign-in beside the page failed', cause)
    props.onFailed()
  })
  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    const told = { done: () => done(), failed: (cause: unknown) => failed(cause) }
    const begin = async () => {
      const begun = await signInBeside(identity, { ending, username }, told)
      stop = begun.stop
      if (gone) stop()
      else setAddress(begun.address)
    }
    begin().catch(told.failed)
    return () => {
      gone = true
      stop?.()
    }
  }, [identity, ending, username])
  return address
}

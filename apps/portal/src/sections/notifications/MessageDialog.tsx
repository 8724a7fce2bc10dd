import { Dialog } from '@longreach/ui/Dialog'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../parts/pages/page-links.ts'
import type { InboxMessage } from '../../parts/notifications/notification-calls.ts'

type Props = { message: InboxMessage; onClose: () => void }

/** Message as it was sent, with the way to its alarms. */
export function MessageDialog({ message: { subject, body, alarmIds }, onClose }: Props) {
  const t = useWords()
  const [alarm, ...more] = alarmIds
  const search = alarm !== undefined && more.length === 0 ? { alarm } : {}
  return (
    <Dialog title={subject} size="lg" onClose={onClose}>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{body}</Text>
      <Group justify="flex-end" mt="md">
        <Button renderRoot={(props) => <Link {...linkTo('/alarms', { search })} {...props} />}>
          {t('notifications.openAlarms')}
        </Button>
      </Group>
    </Dialog>
  )
}

import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useUnread } from './inbox-news.ts'

/** Number above which the link says `99+`. */
const mostShown = 99

/** Way to the person's messages, with the number of unread ones. */
export function InboxLink() {
  const t = useWords()
  const unread = useUnread()
  const count = unread ?? 0
  return (
    <Indicator
      label={count > mostShown ? `${mostShown}+` : count}
      size={16}
      offset={6}
      color="red.8"
      disabled={count === 0}
    >
      <ActionIcon
        size={32}
        aria-label={t('inbox.open', { count })}
        renderRoot={(props) => <Link to="/notifications" {...props} />}
      >
        <IconBell size={18} stroke={1.6} />
      </ActionIcon>
    </Indicator>
  )
}

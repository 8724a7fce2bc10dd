import { formatTime } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import { useActorName } from '../../parts/audit/actor-name.ts'
import { shortPath } from '../../parts/devices/tags.ts'
import classes from './CommentList.module.css'
import type { Comment } from './use-comments.ts'

type Props = {
  comments: readonly Comment[]
  zone: string
  onAdd: () => void
  onOpen: (comment: Comment) => void
}

/** The comments of the window as a list: for reading, and for those who do not see the flags. */
export function CommentList({ comments, zone, onAdd, onOpen }: Props) {
  const t = useWords()
  const nameOf = useActorName()
  const { locale } = useIntl()
  return (
    <section className={classes.comments} aria-label={t('data-explore.comments')}>
      <ul>
        {comments.map((comment) => (
          <li key={comment.id}>
            <button type="button" onClick={() => onOpen(comment)}>
              <time>{formatTime(new Date(comment.at), locale, zone)}</time>
              <span>{comment.text}</span>
              {comment.modelPath !== null && <code>{shortPath(comment.modelPath)}</code>}
              <small>{nameOf(comment.by)}</small>
            </button>
          </li>
        ))}
      </ul>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconMessagePlus size={15} />}
        onClick={onAdd}
      >
        {t('data-explore.addComment')}
      </Button>
    </section>
  )
}

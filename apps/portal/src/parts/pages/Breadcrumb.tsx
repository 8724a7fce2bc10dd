import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

type Props = {
  /** The list that the page's thing stands in. */
  to: string
  section: string
}

/** The way back from the page of one thing to the list that it stands in. */
export function Breadcrumb({ to, section }: Props) {
  const t = useWords()
  return (
    <nav aria-label={t('ui.breadcrumb')}>
      <span aria-hidden="true">‹ </span>
      <Anchor component={Link} to={to} inherit>
        {t(`shell.section.${section}`)}
      </Anchor>
    </nav>
  )
}

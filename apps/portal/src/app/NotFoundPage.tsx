import { Button } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'

/** For an address that leads nowhere. */
export function NotFoundPage() {
  const t = useWords()
  return (
    <>
      <h1 tabIndex={-1}>{t('shell.notFound.title')}</h1>
      <p>{t('shell.notFound.text')}</p>
      <Button component={Link} to="/home">
        {t('shell.notFound.home')}
      </Button>
    </>
  )
}

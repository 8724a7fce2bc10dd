import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** The way back from one rule to the list of rules. */
export function RulesTrail() {
  const t = useWords()
  return (
    <nav aria-label={t('ui.breadcrumb')}>
      <span aria-hidden="true">‹ </span>
      <Anchor component={Link} to="/alarms/rules" inherit>
        {t('alarm-rules.rules')}
      </Anchor>
    </nav>
  )
}

import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../parts/pages/page-links.ts'
import { matcherText } from './sentence/matcher-text.ts'
import classes from './StoppedNotice.module.css'
import type { ChainLink } from './trigger-calls.ts'

/** Chain of a loop in words: each trigger, and what it writes that the next one looks at. */
export function ChainText({ chain }: { chain: readonly ChainLink[] }) {
  const t = useWords()
  return (
    <ol className={classes.chain}>
      {chain.map(({ triggerId, name, path }, index) => (
        // A trigger may stand in its chain several times.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${triggerId} ${index}`}>
          <Anchor
            component={Link}
            {...linkTo('/trigger/$triggerId', { params: { triggerId } })}
            inherit
            underline="always"
          >
            {name}
          </Anchor>{' '}
          {path !== '' && t('trigger.writes', { path: matcherText(path, t) })}
        </li>
      ))}
    </ol>
  )
}

import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { enableFeature, featuresOffered } from '../../parts/session/features.ts'
import shared from './presets.module.css'
import classes from './FastNote.module.css'
import type { Found } from './save-rules.ts'

/** Values that need the feature for fast values, and the way to it: only new ones keep from saving. */
export function FastNote({ found }: { found: readonly Found[] }) {
  const t = useWords()
  const added = found.filter((one) => !one.stored)
  if (found.length === 0) return null
  if (added.length === 0) {
    return <p className={shared.dim}>{t('presets.fastStored', { count: found.length })}</p>
  }
  return (
    <div className={shared.warn} role="alert">
      {t('presets.tooFastCount', { count: added.length })} <EnableFast />
      <ul className={classes.plainList}>
        {added.slice(0, 10).map(({ path }) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Switches the feature on in this browser, where the installation offers it. */
export function EnableFast() {
  const t = useWords()
  if (!featuresOffered().includes('highFreq')) return null
  return (
    <Anchor component="button" type="button" onClick={() => enableFeature('highFreq')}>
      {t('presets.enableFast')}
    </Anchor>
  )
}

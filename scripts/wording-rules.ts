/** Fault of wording, with the line that it begins in, counted from 1. */
type WordingFault = { line: number; text: string }

/** Words that a docstring must not begin with: it names what the code is. */
const opening = /^(What|Who|Whose|Whom|Where|Whether|How|When|That|Which|If)\b/

/** Metaphors and unclear words that comments and documents must not use, with what to write. */
const refused: readonly [RegExp, string][] = [
  [/\bdoors?\b/i, 'call, request or way to sign in'],
  [/\b(this|the|our|own) house\b/i, 'installation, server or product'],
  [/\bbells?\b/i, 'notification'],
  [/\btides?\b/i, 'load'],
  [/\banswer(s|ed|ing)?-for\b/i, 'is responsible for'],
  [/\bat home\b/i, 'the place itself'],
  [/\bdear(er|est)?\b/i, 'costly'],
  [/\bknock(s|ed|ing)?\b/i, 'request'],
  [/\bbreathes?\b/i, 'let other work run'],
  [/\bgood-?bye\b/i, 'disconnect'],
  [/\bshut(s|ting)? (in|out|itself|themselves)\b/i, 'end the access of'],
  [/\bhears? of\b/i, 'get, be notified of'],
  [/\blooked after\b/i, 'maintained'],
  [/\bwhoever\b/i, 'the person, caller or part that is meant'],
  [/\bworth a (closer )?look\b/i, 'the condition of the next step'],
  [/\bmade for longer\b/i, 'lifetime'],
  [/\bknows? nothing of\b/i, 'does not import or depend on'],
  [/\bwithout a promise\b/i, 'synchronous'],
  [/\bnobody is (connected|there)\b/i, 'who is disconnected, and since when'],
]

/**
 * Phrases that texts of the product must not use, with what to write: those of English, and the
 * translations that say the same in no better words.
 */
const refusedTexts: readonly [RegExp, string][] = [
  [
    /\bis not there\b|, or no longer\b|nicht oder nicht mehr|no existe o ya no existe|n’existe pas ou plus|non esiste, o non esiste più/i,
    'Not found. It may have been deleted.',
  ],
  [
    /\bno such .+ for you\b|\bor not for you\b|gibt es für Sie nicht|oder nicht für Sie|o no es para usted|n’existe pas pour vous|ou pas pour vous|per te non esiste|o non per lei/i,
    'You do not have access to it, or it does not exist.',
  ],
  [
    /\blink\b.* is dead\b|Link\b.* gilt nicht mehr|enlace\b.* ya no sirve|lien\b.* ne fonctionne plus|link\b.* non vale più/i,
    'This link has expired.',
  ],
  [
    /\bask for fewer\b|Fragen Sie nach weniger|Pida menos|Demandez-en moins|Ne chieda meno/i,
    'Too many results. Narrow the filter.',
  ],
  [
    /^Meanwhile\b|^Inzwischen trägt|^Entretanto otro dispositivo|^Entre-temps, un autre appareil|^Nel frattempo un altro dispositivo/,
    'the present state, as in "This name is already taken."',
  ],
  [
    /\bthis is needed\b|Das wird benötigt|Esto es necesario|Ceci est requis|Questo è necessario/i,
    'This field is required.',
  ],
  [/\bof the wrong kind\b|von der falschen Art|del tipo equivocado/i, 'Wrong type.'],
  [/^(Do not|Nicht tun)$/, 'Cancel'],
  [/\blook into your mail\b|in Ihrem Postfach nach|^Guarda la tua posta/i, 'Check your email'],
  [/\bfor whoever helps\b|^Für (den|alle), (der|die) hilft/i, 'Technical details'],
  [
    /^Shut (my|your)self out$|^Mich aussperren$|^Dejarme fuera$|^M’exclure$|^Chiudermi fuori$/,
    'Save and lose access',
  ],
  [/^Good until\b/, 'Valid until {time}'],
  [/^Counts$/, 'Applies to'],
  [
    /^(Least|Greatest) of each\b|^(Kleinster|Größter) je Schritt|^(Minimum|Maximum) de chaque pas|^(Minimo|Massimo) di ogni passo/,
    'Minimum or Maximum per interval',
  ],
  [/\bfilters of now\b|\bdie jetzigen Filter\b/i, 'Replace with current filters'],
  [/\bto see its course\b/i, 'Select a value to plot'],
  [/^Roomy$|^Aérée$/, 'Comfortable'],
  [/\bwhoever\b/i, 'the person that is meant'],
]

/** Faults in the texts of a file of words in JSON, or of a program's source that has texts. */
export function faultsInTexts(file: string) {
  return file
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)].flatMap(([, , text = '']) =>
        refusedTexts
          .filter(([pattern]) => pattern.test(text))
          .map(([, better]) => ({ line: index + 1, text: `"${text}": write ${better}` })),
      ),
    )
}

/** Faults in the comments of a program's source. */
export function faultsInCode(code: string): WordingFault[] {
  return commentsIn(code).flatMap(({ line, text, isDocstring }) => {
    const plain = text.replaceAll(/`[^`]*`|\{@link [^}]*\}/g, '')
    const found = wordsIn(plain).map((fault) => ({ line, text: fault }))
    const first = isDocstring ? opening.exec(text) : null
    if (!first) return found
    return [{ line, text: `a docstring begins with "${first[0]}": begin with a noun` }, ...found]
  })
}

/** Faults in a document, outside of its code. */
export function faultsInDocument(document: string): WordingFault[] {
  const prose = document.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  )
  return prose
    .split('\n')
    .flatMap((text, index) => wordsIn(text).map((fault) => ({ line: index + 1, text: fault })))
}

const wordsIn = (text: string) =>
  refused.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)
    return found ? [`"${found[0]}": write ${better}`] : []
  })

const comment = /(?<=^|[\s{(])(?:\/\*[^]*?\*\/|\/\/[^\n]*)/gm

function commentsIn(code: string) {
  let line = 1
  let seen = 0
  return [...code.matchAll(comment)].map(({ 0: raw, index }) => {
    line += linesIn(code.slice(seen, index))
    seen = index
    const text = raw
      .replaceAll(/^\/[/*]+|\*\/$|^\s*\*/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return { line, text, isDocstring: raw.startsWith('/**') }
  })
}

const linesIn = (text: string) => text.split('\n').length - 1

/** Differences between the counts by area and the list of areas that are not repaired yet. */
export function listFaults(
  counts: ReadonlyMap<string, number>,
  unrepaired: Readonly<Record<string, number>>,
) {
  const areas = [...new Set([...counts.keys(), ...Object.keys(unrepaired)])].toSorted()
  return areas.flatMap((area) => {
    const [count, listed] = [counts.get(area) ?? 0, unrepaired[area] ?? 0]
    if (count === listed) return []
    if (count > listed) {
      return [{ area, text: `${count} faults of wording, ${listed} allowed`, isHigher: true }]
    }
    const text = `lower the number in scripts/wording-unrepaired.ts from ${listed} to ${count}`
    return [{ area, text, isHigher: false }]
  })
}

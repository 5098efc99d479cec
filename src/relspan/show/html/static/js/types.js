/**
 * What the modules pass to one another: plain JSON, as the back end sends it.
 *
 * @typedef {"strong" | "weak" | "irrelevant" | "undecided"} Relevance
 *
 * @typedef {object} Feature  One feature of a result; relevances are shares of the best model's L1 norm.
 * @property {string} name
 * @property {number} min
 * @property {number} max
 * @property {number} lo
 * @property {number} hi
 * @property {Relevance} relevance
 * @property {boolean} [solved]
 * @property {number | null} [evidence]  What speaks for it, in units of what chance reaches; none by the papers' rule.
 * @property {"reach" | "association" | "need" | "cluster" | null} [route]  What speaks most for it.
 * @property {string[]} [cluster]  Its substitutes.
 * @property {boolean} [norm_made]  Whether only the norm budget makes every equally good model use it.
 * @property {PinEffect} [under_pins]  In a result under pins: what these do to it.
 * @property {Record<string, [number, number]>} [parts]  The signed interval of each weight, where it has several.
 * @property {string[]} [levels]  Of a category: the columns that stand for it.
 * @property {number | null} [threshold]  Of a category: how far chance reaches in its total.
 *
 * @typedef {"left out" | "needed" | "moved" | "unmoved"} Outcome  What pins do to a feature; they do not change its class.
 *
 * @typedef {object} PinEffect
 * @property {number} unpinned_min
 * @property {number} unpinned_max
 * @property {Outcome} outcome
 * @property {boolean} pinned
 *
 * @typedef {object} Result  What `RelevanceResult.to_json` writes.
 * @property {string} task
 * @property {Feature[]} features
 * @property {Record<string, any>} baseline
 * @property {Record<string, any>} budgets
 * @property {{sources?: string[], lo?: number[], hi?: number[], totals?: number[]}} probes  Totals: of several weights.
 * @property {boolean | null} [passed]  Whether the table passed its test; if not, no feature is called relevant.
 * @property {{relevant?: number, total?: number, strong?: number, evidence?: number}} thresholds  Relevant: of single weights.
 * @property {Record<string, any>} parameters
 * @property {Record<string, any>} data
 * @property {string[]} warnings
 * @property {Record<string, number>} [seconds]
 * @property {Record<string, string>} [versions]
 *
 * @typedef {object} Entry  One entry of the account of a result, written by show/account.py.
 * @property {string} key
 * @property {string} title
 * @property {string} sentence
 *
 * @typedef {"exact" | "inner" | "outer"} Status  inner: it reaches at least this far; outer: at most; exact: both.
 * @typedef {[number, number, number, number, Outcome | null, Status]} Row  min, max, lo, hi, outcome, status
 *
 * @typedef {"min" | "max" | "without" | "+" | "-" | number | [number, number | null]} Demand
 *
 * @typedef {object} Pin
 * @property {string} feature
 * @property {number} low
 * @property {number | null} high
 * @property {string} asked
 * @property {string} [text]
 * @property {string} [sign]
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} note
 * @property {string[]} pins
 *
 * @typedef {object} View  What the pins in force leave.
 * @property {Pin[]} pins
 * @property {(Row | null)[]} rows  In the order of the result's features; null as long as only the interval without pins is known.
 * @property {Record<string, [number, number, Outcome | null, Status]>} [categories]  Under pins, by name.
 * @property {Record<string, [number, number]>} allowed  Of pinned features: the interval that the other pins leave.
 * @property {number} pending  Rows that are not exact yet.
 * @property {boolean} undo
 * @property {boolean} redo
 * @property {Scenario[]} scenarios
 * @property {Record<string, any> | null} best  The best model under the pins, the budgets they use, its score.
 *
 * @typedef {object} State  Everything that is shown; a report has `result` only.
 * @property {"open" | "choose" | "fitting" | "ready"} phase
 * @property {number} revision
 * @property {string} [session]  Another one means another result.
 * @property {Result} [result]
 * @property {Entry[]} [account]  Comes and stays with the result.
 * @property {Entry[]} [findings]  What a reader wants to know first; stays with the result, as do the next two.
 * @property {string} [equally_good]  What "equally good" means here, in one line.
 * @property {{values: number[], words: string[], current: number | null} | null} [slider]  Budgets that can be chosen.
 * @property {{mark: string, names: string[], sentence: string}[]} [groups]  Features with similar columns.
 * @property {Feature[]} [categories]  The features that several columns stand for.
 * @property {import("./questions_panel.js").Question[]} [questions]  What else can be asked.
 * @property {View | null} [view]
 * @property {boolean} [explorable]
 * @property {string} [reason]
 * @property {Record<string, any>} [table]
 * @property {Record<string, any>} [progress]
 * @property {Record<string, number>} [costs]
 * @property {string[]} [stars]
 * @property {Record<string, any>[]} [examples]  Built-in data sets.
 * @property {string | null} [trouble]
 * @property {string[]} [exports]  What the back end can write.
 * @property {{session: string, title: string, pins: number, scenarios: number, explorable: boolean}[]} [left]  Results that were left for another table and are kept, the latest first.
 *
 * @typedef {object} Transport  The back end: HTTP in the explorer, data in the report, messages in a notebook.
 * @property {(action: string, payload?: Record<string, any>) => Promise<any>} ask
 * @property {(file: File) => Promise<any>} [upload]
 * @property {boolean} readOnly
 *
 * @typedef {object} Line  One line of the list.
 * @property {number} index
 * @property {string} name
 * @property {number} min
 * @property {number} max
 * @property {Relevance} relevance  The class, which pins do not change.
 * @property {number | null} evidence  None where the result has none.
 * @property {string} grounds  What the class rests on, in words; empty where this is not known.
 * @property {Outcome | null} outcome  What the pins do; null without pins, and until it is known.
 * @property {boolean} pinned
 * @property {Status} status
 * @property {[number, number]} ghost  The interval without pins.
 * @property {[number, number]} allowed  Where this feature may be pinned.
 * @property {Pin | null} pin
 * @property {number | null} best  Its relevance in the best model under the pins; null until that is known.
 * @property {boolean} starred
 * @property {number | null} cost
 * @property {string[] | null} levels  Of a category: the lines inside it.
 * @property {number | null} chance  Of a category: how far chance reaches in its total, where that is known.
 * @property {string | null} home  Of a level: its category.
 * @property {boolean} open  Whether the levels of a category are shown.
 * @property {string} group  The letter of its group of substitutes; empty where it has none.
 * @property {string} mates  That group in words.
 * @property {{min: [number, number], max: [number, number]} | null} whiskers  Where its ends lie in repeated analyses.
 * @property {[number, number]} signed  The interval of its weight; of a category, that of all its levels' weights.
 * @property {[number, number]} signedGhost  The same without pins.
 * @property {number | null} weight  In the best model, with its sign; null until that is known.
 */
export {};

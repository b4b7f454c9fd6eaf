// The screen's words, in four languages: what its address asks for (?lang=pl), else the browser's choice.

const EN = {
  "tables": "Tables",
  "no.games": "No games yet.",
  "no.games.at.tables": "No games at tables {which} yet.",
  "no.games.at.boards": "No games at boards {which} yet.",
  "board": "board {n}",
  "board.of": "Board of table {n}",
  "round": "Round {n}",
  "rounds": "Rounds {n}",
  "count": "{playing} playing, {finished} finished",
  "speed": "×{n} speed",
  "page": "page {n} of {of}",
  "lost": "No connection to the hub since {since}. What stands here is the last that was heard.",
  "no.signal": "no signal",
  "paused": "paused",
  "results": "Results",
  "standings": "Standings",
  "so.far": "{over} of {of} games over",
  "place": "Place",
  "player": "Player",
  "rating": "Rating",
  "game": "Game",
  "points": "Points",
  "bye": "bye",
  "plays": "playing",
  "only.this.round": "Points of this round only: those before it are not known.",
  "equal": "Equal points share a place and stand in the order of rating.",
  "token": "This screen needs a token.",
  "bad.number": "{what} is not understood: write a number from {least}",
  "bad.numbers": "{what} is not understood: write numbers like 1-8,12",
  "bad.choice": "{what} is not understood: write {choices}",
};

const SR = {
  "tables": "Stolovi",
  "no.games": "Još nema partija.",
  "no.games.at.tables": "Za stolovima {which} još nema partija.",
  "no.games.at.boards": "Na tablama {which} još nema partija.",
  "board": "tabla {n}",
  "board.of": "Tabla stola {n}",
  "round": "{n}. kolo",
  "rounds": "Kola {n}",
  "count": "u toku: {playing}, završeno: {finished}",
  "speed": "brzina ×{n}",
  "page": "strana {n} od {of}",
  "lost": "Nema veze sa serverom od {since}. Ovde stoji ono što se poslednje čulo.",
  "no.signal": "nema signala",
  "paused": "zaustavljeno",
  "results": "Rezultati",
  "standings": "Poredak",
  "so.far": "završeno {over} od {of} partija",
  "place": "Mesto",
  "player": "Igrač",
  "rating": "Rejting",
  "game": "Partija",
  "points": "Poeni",
  "bye": "slobodan",
  "plays": "igra",
  "only.this.round": "Samo poeni ovog kola: raniji nisu poznati.",
  "equal": "Igrači sa jednakim poenima dele mesto i stoje po rejtingu.",
  "token": "Ovom ekranu treba ključ. Napravite ga sa `flagfall person add --role screen` i jednom otvorite /hall#token=….",
  "bad.number": "{what} nije razumljivo: napišite broj od {least}",
  "bad.numbers": "{what} nije razumljivo: napišite brojeve kao 1-8,12",
  "bad.choice": "{what} nije razumljivo: napišite {choices}",
};

const RU = {
  "tables": "Столы",
  "no.games": "Партий пока нет.",
  "no.games.at.tables": "За столами {which} партий пока нет.",
  "no.games.at.boards": "На досках {which} партий пока нет.",
  "board": "доска {n}",
  "board.of": "Доска стола {n}",
  "round": "Тур {n}",
  "rounds": "Туры {n}",
  "count": "идёт: {playing}, окончено: {finished}",
  "speed": "скорость ×{n}",
  "page": "страница {n} из {of}",
  "lost": "Нет связи с сервером с {since}. Здесь то, что было известно последним.",
  "no.signal": "нет сигнала",
  "paused": "остановлено",
  "results": "Результаты",
  "standings": "Положение",
  "so.far": "окончено {over} из {of} партий",
  "place": "Место",
  "player": "Игрок",
  "rating": "Рейтинг",
  "game": "Партия",
  "points": "Очки",
  "bye": "свободен",
  "plays": "играет",
  "only.this.round": "Только очки этого тура: прежние неизвестны.",
  "equal": "При равных очках место делится, порядок по рейтингу.",
  "token": "Этому экрану нужен ключ. Создайте его: `flagfall person add --role screen`, и один раз откройте /hall#token=….",
  "bad.number": "{what} непонятно: напишите число от {least}",
  "bad.numbers": "{what} непонятно: напишите номера, например 1-8,12",
  "bad.choice": "{what} непонятно: напишите {choices}",
};

const PL = {
  "tables": "Stoliki",
  "no.games": "Nie ma jeszcze partii.",
  "no.games.at.tables": "Przy stolikach {which} nie ma jeszcze partii.",
  "no.games.at.boards": "Na szachownicach {which} nie ma jeszcze partii.",
  "board": "szachownica {n}",
  "board.of": "Szachownica stolika {n}",
  "round": "Runda {n}",
  "rounds": "Rundy {n}",
  "count": "w toku: {playing}, zakończone: {finished}",
  "speed": "prędkość ×{n}",
  "page": "strona {n} z {of}",
  "lost": "Brak połączenia z serwerem od {since}. Widać to, co było znane ostatnio.",
  "no.signal": "brak sygnału",
  "paused": "zatrzymane",
  "results": "Wyniki",
  "standings": "Klasyfikacja",
  "so.far": "zakończone {over} z {of} partii",
  "place": "Miejsce",
  "player": "Gracz",
  "rating": "Ranking",
  "game": "Partia",
  "points": "Punkty",
  "bye": "wolny los",
  "plays": "gra",
  "only.this.round": "Tylko punkty tej rundy: wcześniejsze nie są znane.",
  "equal": "Przy równych punktach miejsce jest wspólne, a kolejność według rankingu.",
  "token": "Ten ekran potrzebuje klucza. Utwórz go: `flagfall person add --role screen`, i raz otwórz /hall#token=….",
  "bad.number": "{what}: nie wiadomo, co to znaczy; wpisz liczbę od {least}",
  "bad.numbers": "{what}: nie wiadomo, co to znaczy; wpisz numery, np. 1-8,12",
  "bad.choice": "{what}: nie wiadomo, co to znaczy; wpisz {choices}",
};

const ALL = { en: EN, sr: SR, ru: RU, pl: PL };
const TAGS = { en: "en", sr: "sr-Latn", ru: "ru", pl: "pl" };

export const LANGUAGES = Object.keys(ALL);

export let language = "en";

/** Speaks this language; without one, the first of the browser's that is known. */
export function speak(wanted) {
  const asked = [wanted ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  language = asked.find((tag) => Object.hasOwn(ALL, tag)) ?? "en";
  document.documentElement.lang = TAGS[language];
}

/** What is said in English and not in this language, or the other way round. */
export function missing(tag) {
  const [all, own] = [Object.keys(EN), Object.keys(ALL[tag])];
  return [...all.filter((key) => !own.includes(key)), ...own.filter((key) => !all.includes(key))];
}

/** The words for it; `{name}` is filled in. */
export function t(key, fill = {}) {
  return ALL[language][key].replace(/\{(\w+)\}/g, (whole, name) => String(fill[name] ?? whole));
}

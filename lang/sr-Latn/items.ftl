# Stavke: šta se dogodilo, šta treba uraditi i šta treba znati. Rečenice su bez tačke: iza njih mogu da dođu članovi Pravila.

# -- Šta se dogodilo

item-illegal-move = { $by } je završio nemoguć potez { $move }
item-illegal-move-seen = sudija je video da je { $by } odigrao nemoguć potez { $move }
item-illegal-move-seen-no-board = sudija je video da je { $by } odigrao nemoguć potez
item-two-hands = { $by } je jedan potez odigrao obema rukama i pritisnuo sat
item-two-hands-as-well = uz to je potez odigran obema rukama; sve zajedno se računa kao jedan nemoguć potez
item-press-without-move = { $by } je pritisnuo sat, a nije odigrao potez
item-offence-stands = { $foe } je u međuvremenu odigrao sledeći potez, pa nemoguć potez ostaje na snazi

item-flag = pala je zastavica { $by-gen }: sat pokazuje 0:00
item-flag-missing = pala je zastavica { $by-gen }, a do kraja perioda { $period } { $n ->
    [one] nedostaje još { $n } potez
    [few] nedostaju još { $n } poteza
   *[other] nedostaje još { $n } poteza
}
item-flag-unordered-before = tabla pokazuje poziciju kojom se partija završava, viđenu { $time } pre pada zastavice; vremena table i sata mogu odstupati za { $apart-acc }, pa se redosled ne zna
item-flag-unordered-after = tabla pokazuje poziciju kojom se partija završava, viđenu { $time } posle pada zastavice; vremena table i sata mogu odstupati za { $apart-acc }, pa se redosled ne zna
item-flag-other-first = pala je i zastavica { $foe-gen }, i to pre ove
item-flag-other-later = pala je i zastavica { $foe-gen }, posle zastavice { $by-gen }
item-flags-unknown = pale su obe zastavice i ne može se utvrditi koja je pala prva
item-flag-passed = vreme { $by-gen } za period { $period } isteklo je, a { $n ->
    [one] nedostaje još { $n } potez
    [few] nedostaju još { $n } poteza
   *[other] nedostaje još { $n } poteza
}; sat je dodao vreme sledećeg perioda i radi dalje

item-absent = { $by } nije bio za tablom kada je isteklo vreme tolerancije ({ $time })
item-absent-at-start = { $by } nije bio za tablom na početku kola; vreme tolerancije je nula
item-absent-both = nijedan igrač nije bio za tablom kada je isteklo vreme tolerancije ({ $time })
item-absent-both-at-start = nijedan igrač nije bio za tablom na početku kola; vreme tolerancije je nula

item-claim-threefold = { $by } reklamira remi: pozicija na tabli nastala je najmanje treći put
item-claim-threefold-intends = { $by } reklamira remi: posle nameravanog poteza { $move } pozicija bi nastala najmanje treći put
item-claim-fifty-moves = { $by } reklamira remi: po pedeset poteza oba igrača bez uzimanja i poteza pešakom
item-claim-fifty-moves-intends = { $by } reklamira remi: sa nameravanim potezom { $move } biće po pedeset poteza oba igrača bez uzimanja i poteza pešakom
item-claim-quickplay = { $by } reklamira remi jer protivnik ne može da dobije normalnim sredstvima ili to i ne pokušava
item-ask-increment = { $by } ima manje od dva minuta i traži da se obojici uvede dodatak po potezu
item-claim-flag = { $by } reklamira da je protivniku pala zastavica; po računanju sistema na tom satu još ima vremena
item-claim-illegal-move = { $by } reklamira nemoguć potez protivnika; u zapisu nema takvog na koji se još može reagovati

first-position = početna pozicija
claim-right-threefold = reklamacija je po zapisu ispravna: { $n ->
    [one] { $n } put
    [few] { $n } puta
   *[other] { $n } puta
}, { $moves }
claim-wrong-threefold = reklamacija po zapisu nije ispravna: pozicija je nastala samo { $n ->
    [one] { $n } put
    [few] { $n } puta
   *[other] { $n } puta
}, { $moves }
claim-right-fifty-moves = reklamacija je po zapisu ispravna: po { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
} oba igrača od { $move }
claim-right-fifty-moves-all = reklamacija je po zapisu ispravna: po { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
} oba igrača od početka zapisa
claim-wrong-fifty-moves = reklamacija po zapisu nije ispravna: samo po { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
} oba igrača od { $move }
claim-wrong-fifty-moves-all = reklamacija po zapisu nije ispravna: samo po { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
} oba igrača od početka zapisa
claim-not-on-move = reklamacija nije ispravna: { $by } nije na potezu
claim-touched = reklamacija nije ispravna: { $by } je u ovom potezu već dotakao figuru
claim-intended-illegal = reklamacija nije ispravna: nameravani potez je nemoguć
claim-intended-starts-anew = reklamacija nije ispravna: nameravani potez je uzimanje ili potez pešakom
claim-no-record = nema zapisa po kojem bi se reklamacija proverila

quickplay-for-the-arbiter = reklamacija je dopuštena; da li { $foe } može da dobije normalnim sredstvima i da li to pokušava, procenjuje sudija
quickplay-increment-asked = zahtev je dopušten: na potezu je { $by }, a vreme se po potezu ne dodaje
quickplay-cannot-be-won = { $foe } ne može da matira nikakvim nizom mogućih poteza
quickplay-not-announced = Smernice za ovaj turnir nisu najavljene
quickplay-no-finish = ovo nije ubrzani završetak: vreme se dodaje po potezu, sledi još jedan period ili je u pitanju brzopotezni šah
quickplay-not-on-move = { $by } nije na potezu
quickplay-time-left = { $by } ima još dva minuta ili više
quickplay-too-late = zastavica { $by-gen } je pala pre toga

item-call = { $by } je zaustavio satove da bi pozvao sudiju
item-call-by-somebody = satovi su zaustavljeni radi poziva sudiji
item-board-disagrees = nijedan potez ne objašnjava ono što je stajalo na tabli u trenutku pritiska; tabla i zapis razlikuju se na { $squares }
square-seen = { $square }: po zapisu { $record }, na tabli { $board }
square-empty = ništa
square-taken = neka figura
piece-of = { $piece } { $side-gen }
item-promotion = pešak je promovisan, { $move }, a tabla ne vidi u koju figuru; u zapisu privremeno stoji { $piece }
item-illegal-position = pozicija na tabli nije mogla nastati mogućim potezima
item-colours-reversed = partija je počela sa zamenjenim bojama; crni je odigrao { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
}
item-wrong-setup = početna pozicija figura bila je pogrešna; svaki igrač je završio { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
}
item-wrong-clock = sat je pogrešno podešen
item-sides-exchanged = prva pritiskanja došla su sa strane čiji sat ne radi: leva i desna strana sata su zamenjene, ili igrači sede na pogrešnim stranama
item-device = kod jednog igrača ({ $by }) pronađen je elektronski uređaj u prostoru za igru
item-device-somebody = u prostoru za igru pronađen je elektronski uređaj
item-result-signal = igrači na tabli pokazuju rezultat: { $result }
item-result-entered = { $by } je na satu uneo rezultat { $result }, a protivnik još ništa
item-result-entered-both = na satu je beli uneo { $white }, a crni { $black }
item-late-news = zakasnela poruka tiče se već donete odluke o stavci { $number } ({ $kind }): sa njom bi bila predložena drugačija odluka
item-adjusted-at-table = sat na stolu pokazuje: beli { $white-shown }, crni { $black-shown }; računato je: beli { $white-count }, crni { $black-count }
item-adjusted-running = na satu { $shown }, po računanju { $counted }
clock-runs = teče vreme { $side-gen }
clocks-stand = oba sata stoje
item-order-unknown = u trenutku pritiska tabla je pokazivala moguć potez, a u razmaku od { $time-gen } nešto drugo; po vremenima table i sata ne može se znati posle čega je sat pritisnut
item-moves-missing = sat je pritisnut, a zapisničar ni posle minuta nije uneo potez; to ne govori ništa protiv igrača
item-reports-lost = nepovratno { $n ->
    [one] je izgubljena { $n } poruka
    [few] su izgubljene { $n } poruke
   *[other] je izgubljeno { $n } poruka
} uređaja sa ovog stola: u zapisu možda nedostaju potezi ili pritisci
item-silent-device = uređaj { $device } se već neko vreme ne javlja
item-clock-renewed = sat { $device } je stavljen u toku partije ili je izgubio podešavanja, i dato mu je: beli { $white }, crni { $black }
item-clock-not-renewed = sat { $device } je stavljen u toku partije ili je izgubio podešavanja, i ne prima: beli { $white }, crni { $black }
item-clock-fast = sat { $device } žuri { $percent } %: prednjači { $time-acc } za { $over }
item-clock-slow = sat { $device } kasni { $percent } %: zaostaje { $time-acc } za { $over }
item-clock-leapt-ahead = vreme sata { $device } skočilo je unapred za { $time-acc }
item-clock-leapt-back = vreme sata { $device } skočilo je unazad za { $time-acc }
item-by-hand = sistem više ne može da prati ovu partiju: { $reason }

# -- Šta treba uraditi

step-stop = zaustaviti oba sata
step-taken-back = vraćaju se potezi: { $moves }
step-put-back = vratiti figure: { $pieces }
step-put-back-no-board = vratiti poziciju pre nemogućeg poteza; na stolu nema elektronske table, pa je sistem ne zna
piece-moves-back = { $piece } { $from } → { $to }
piece-comes-back = { $piece } nazad na { $to }
piece-goes-off = { $piece } sa { $from } skinuti sa table
piece-stays = { $piece }
step-queen = na { $square } umesto pešaka staviti damu; potez ostaje, pravo izbora figure je izgubljeno
step-penalty = { $foe } dobija još { $time-acc }
step-increment = { $by } gubi { $time-acc }, dodatak dobijen tim pritiskom
step-times = satovi: { $times }
time-set = { $side } { $before } → { $after }
time-change = { $side } { $change }
step-must-move = { $by } mora da igra dotaknutom figurom: { $piece } na { $square } – { $moves }
step-must-capture = { $by } mora da uzme dotaknutu figuru: { $piece } na { $square } – { $moves }
step-must-play = { $by } mora da odigra { $moves }
step-any-move = { $by } može da odigra bilo koji mogući potez: dotaknutim se ne može ni igrati ni uzeti
step-has-the-move = na potezu je { $by }
step-run = pokrenuti sat { $by-gen }
step-end = partija se završava { $result }: { $ending }
step-wait = sačekati da se završi sledeći potez; ako pozicija i tada bude nemoguća, partija je remi
step-claim-refused = reklamacija se odbija; { $foe } dobija još { $time-acc }, a igra se nastavlja
step-new-game = poništiti partiju i početi novu iz ispravne početne pozicije, sa punim vremenom
step-new-game-colours = prekinuti partiju i početi novu sa ispravnim bojama i punim vremenom
step-stop-clocks = zaustaviti satove, zabeležiti oba vremena i ispravno podesiti sat po najboljoj proceni
step-promoted = uneti koja je to figura; ako je to { $piece }, dovoljno je potvrditi
step-take-reading = važi vreme sa sata: beli { $white }, crni { $black }; dopisati kako je do toga došlo
step-offence-stands = ništa se ne preduzima: ispravka je moguća samo po dogovoru oba igrača
step-claim-flag = pogledati sat: ako je zastavica pala, uneti da ste to videli; inače se reklamacija odbija i ništa se ne menja
step-claim-illegal-move = pogledati poziciju: ako je bilo nemogućeg poteza, uneti da ste to videli; inače se reklamacija odbija i ništa se ne menja
step-claim-by-scoresheets = proveriti reklamaciju po formularima sa oba igrača; ako je ispravna, uneti rezultat 1/2-1/2, inače odrediti kaznu
step-call = prići stolu, pitati za razlog i ponovo pokrenuti sat
step-board-disagrees = pogledati tablu: uneti odigrani potez ili vratiti figure na njihova mesta
step-colours-stay = partija se nastavlja kako jeste; obavestiti glavnog sudiju
step-setup-stays = partija se nastavlja kako jeste
step-clock-stays = podešavanje ostaje kako jeste, osim ako bi to poremetilo satnicu turnira
step-sides-exchanged = pogledajte na kojoj strani sata sedi beli; ako su leva i desna strana zamenjene, zamenite ih za ovim stolom, inače odbacite ovo
step-late-news = odluka ostaje na snazi; promenite je ako utvrdite drugačije
step-reports-lost = uporediti tablu sa zapisom i uneti ono što nedostaje
step-silent-device = pogledati uređaj; bez njega odlučivati po satu na stolu
step-clock-renewed = proveriti da li sat pokazuje ta vremena, umanjena za ono što je od tada isteklo, i da li je tempo podešen
step-clock-not-renewed = ručno podesiti tempo i vremena na satu
step-device = utvrditi čiji je uređaj i odlučiti
step-illegal-position = utvrditi kako je nastala i vratiti poslednju ispravnu poziciju
step-nothing = ništa se ne menja
step-flag-order = utvrditi šta je bilo prvo, pad zastavice ili potez kojim je partija završena, i uneti rezultat
step-clock-time = važi ono što sat pokazuje; zameniti sat i podesiti vremena po najboljoj proceni
step-quickplay = proglasiti remi, odložiti odluku, ili odbiti reklamaciju i protivniku ({ $foe }) dodati { $time-acc }
step-introduce-increment = ako { $foe } odbije remi, a vi prihvatite zahtev: podesiti sat tako da svaki potez oba igrača dodaje { $time-acc }
step-claim-void = reklamacija se odbija; ništa se ne menja
step-out-of-turn = srediti poziciju i satove i, ako smatrate potrebnim, odrediti kaznu; ne računa se kao nemoguć potez
step-wait-for-irregularity = prvo odlučiti o nepravilnosti koja je utvrđena pre pada zastavice
step-flags-unknown = odlučiti kako se partija nastavlja: ne zna se koja je zastavica pala prva
step-flag-other-first = odlučiti o drugoj zastavici, koja je pala prva
step-order-unknown = pitati igrače i uneti odigrani potez
step-moves-missing = neka zapisničar nadoknadi poteze, ili uneti one koji nedostaju sa zapisnika partije
step-reading-stands = važi vreme sa sata; dopisati razlog, ili ga ispraviti ako je sat neispravan ili je bio pogrešno podešen
step-by-hand = nastaviti ručno: zapisivati poteze i vremena, a rezultat uneti na kraju

# -- Šta treba znati

note-count = broj nemogućih poteza ({ $by }), računajući i ovaj: { $n }
note-window = može se reklamirati, a sudija može da reaguje, samo dok { $foe } ne odigra sledeći potez
note-not-certain = još nije sigurno: nije stiglo sve što se dogodilo do tog trenutka
note-certain = sigurno: stiglo je sve što se dogodilo do tog trenutka
note-observed = reklamirao je igrač ili je video sudija
note-suspected = samo sumnja: nije stiglo sve što se dogodilo do tog trenutka, pritisak na sat možda još putuje
note-suspected-unheard = samo sumnja: uređaji sa ovog stola se ne javljaju
note-suspected-heard = samo sumnja: sve je poznato samo do { $time } pre toga, pritisak na sat možda još putuje
note-suspected-not-shown = samo sumnja: sam sat nije pokazao pad zastavice
note-clock-bridged = potez koji se tada igrao računat je po vremenu sale, a sve posle njega po satu
note-clock-counted = računato je onako kako računa sat
note-flag-seen-only = video je sudija; ne zna se kada je tačno pala
note-flag-by-clock = pad zastavice je pokazao sam sat na stolu
note-flag-no-board = na stolu nema elektronske table: pogledajte može li { $foe } da matira bilo kojim nizom mogućih poteza; ako ne može, partija je remi
note-flag-scoresheets = prvo neka igrači dopune formulare: oni odlučuju koliko je poteza završeno
note-absent = sudija može odlučiti drugačije
note-claim-is-offer = reklamacija je ujedno i ponuda remija: ako je { $foe } prihvati, ne mora se proveravati
note-claimed-right = podnosilac zahteva navodi poteze { $moves }: prema zapisu pozicija je stajala posle svakog od njih
note-claimed-wrong = podnosilac zahteva navodi poteze { $moves }; prema zapisu pozicija nije stajala posle { $wrong }
note-increment-is-offer = zahtev je ujedno i ponuda remija: ako je { $foe } prihvati, partija je remi
note-result-signal = pre potvrde pitajte oba igrača
note-by-material = nije na vreme utvrđeno da li je mat moguć; ovo je samo po materijalu, a procena je vaša

mate-on-board = { $foe } je već matirao
mate-possible = { $foe } još može da matira, na primer u { $n ->
    [one] { $n } potezu
   *[other] { $n } poteza
}: { $moves }
mate-impossible = { $foe } ne može da matira nikakvim nizom mogućih poteza: { $proof }
mate-searched-possible = { $foe } još može da matira, utvrđeno je dubljom pretragom: { $evidence }
mate-searched-impossible = { $foe } ne može da matira nikakvim nizom mogućih poteza, utvrđeno je dubljom pretragom: { $evidence }
mate-undecided-enough = nije na vreme utvrđeno da li { $foe } još može da matira; materijala bi bilo dovoljno, a procena je vaša
mate-undecided-not-enough = nije na vreme utvrđeno da li { $foe } još može da matira; materijala ne bi bilo dovoljno, a procena je vaša
proof-over = partija je na tabli završena
proof-material = preostalim figurama mat nije moguć ni u jednoj poziciji
proof-walled-in = figure na { $squares } ne mogu se više ni pomeriti ni uzeti, a iza njih nema mata
proof-forced = svi potezi su iznuđeni, a { $n ->
    [1] jedina pozicija koja sledi nije mat
    [one] nijedna od { $n } pozicije nije mat
    [few] nijedna od { $n } pozicije nije mat
   *[other] nijedna od { $n } pozicija nije mat
}
proof-exhausted = { $n ->
    [one] od ukupno { $n } pozicije koja još može nastati nijedna nije mat
    [few] od ukupno { $n } pozicije koje još mogu nastati nijedna nije mat
   *[other] od ukupno { $n } pozicija koje još mogu nastati nijedna nije mat
}
proof-second-opinion = potpuna pretraga drugim programom nije našla mat

# Saopštenje pre prvog kola: čita se naglas, zato u punim rečenicama.

reg-heading-time = vreme
reg-heading-illegal = nemogući potezi
reg-heading-claims = poziv sudiji, reklamacije i remi
reg-heading-phones = telefoni
reg-heading-hall = table i ekrani
reg-heading-house-rules = posebna pravila turnira
reg-heading-open-points = kada Pravila ne daju odgovor

reg-category = Igramo { $category } po Pravilima šaha FIDE, važećim od 1. januara 2023.
reg-supervision-adequate = Obezbeđen je odgovarajući nadzor nad partijama, pa u celini važe Takmičarska pravila.
reg-supervision-limited = Jedan sudija nadgleda više partija, zato nepravilnosti reklamirate sami.
reg-rated = Partije se računaju za rejting.
reg-unrated = Partije se ne računaju za rejting.
reg-control = Svaki igrač ima { $periods }{ $bonus }.
reg-period-only = { $time-acc } za celu partiju
reg-period-first = { $time-acc } za { $n ->
    [1] prvi potez
    [one] prvih { $n } potez
    [few] prva { $n } poteza
   *[other] prvih { $n } poteza
}
reg-period-next = zatim { $time-acc } za { $n ->
    [1] sledeći potez
    [one] sledećih { $n } potez
    [few] sledeća { $n } poteza
   *[other] sledećih { $n } poteza
}
reg-period-last = zatim { $time-acc } do kraja partije
reg-bonus-none = , bez dodatka po potezu
reg-bonus-increment = , uz dodatak od { $time-gen } po potezu
reg-bonus-delay = , a na svakom potezu sat čeka { $time-acc } pre nego što vaše vreme počne da teče
reg-bonus-bronstein = , a posle svakog poteza vraća vam se utrošeno vreme, najviše { $time }
reg-other-control = Drugačije je na stolovima { $tables }. { $control }
reg-first-increment = Dodatak za prvi potez je na satu od početka, tako da sat kreće od { $time }.
reg-no-first-increment = Pre prvog poteza nema dodatka: sat kreće od { $time }.
reg-period-on-zero = Vreme za sledeći period dodaje se kada prvi od dva sata dođe do nule, a ne kada odigrate propisane poteze: poteze brojte sami.
reg-period-on-moves = Vreme za sledeći period dodaje se na vaš sat pritiskom kojim završavate propisani broj poteza; ipak, merodavan je vaš formular, a ne sat.
reg-default-zero = Ko nije za tablom u trenutku kada se objavi početak kola gubi partiju, osim ako sudija odluči drugačije.
reg-default-time = Sat belog radi od objavljenog početka kola. Ko zakasni više od { $time-gen } gubi partiju, osim ako sudija odluči drugačije.
reg-record-always = Poteze ste dužni da zapisujete tokom cele partije, bez obzira na to koliko vam je vremena ostalo.
reg-record-five-minutes = Poteze ste dužni da zapisujete dok vam u periodu ne ostane manje od pet minuta.
reg-record-free = Poteze niste dužni da zapisujete.

reg-illegal-always = Nemoguć potez je završen kada pritisnete sat. Ispravlja se kad god se otkrije u toku partije, a dotaknutom figurom mora se igrati ako je to moguće.
reg-illegal-limited = Nemoguć potez je završen kada pritisnete sat. Ispravlja se samo ako ga protivnik reklamira, ili sudija primeti, pre nego što protivnik odigra svoj sledeći potez; posle toga ostaje na snazi. Kada reklamirate, zaustavite sat i pozovite sudiju.
reg-illegal-penalty = Za prvi nemoguć potez protivnik dobija još { $time-acc }, a prekršiocu se skida dodatak dobijen tim pritiskom.
reg-illegal-second = Igrač koji završi drugi nemoguć potez gubi partiju; partija je remi ako protivnik ne može da matira nikakvim nizom mogućih poteza.
reg-illegal-also = Kao nemoguć potez računa se i pritisak na sat bez odigranog poteza, potez odigran obema rukama i pritisak na sat pre nego što je pešak na poslednjem redu zamenjen figurom.

reg-call = Sat smete da zaustavite samo da biste pozvali sudiju, i to iz opravdanog razloga.
reg-claim-draw = Remi zbog trokratnog ponavljanja pozicije ili po pravilu pedeset poteza možete da reklamirate samo kada ste na potezu i niste dotakli figuru. Ako do toga dolazi tek vašim sledećim potezom, zapišite ga, nemojte ga odigrati, zaustavite sat i saopštite reklamaciju sudiji.
reg-claim-wrong = Reklamacija se ne može povući; ako je neispravna, protivnik dobija još { $time-acc }.
reg-claim-flag = Ako je protivniku pala zastavica, zaustavite sat i pozovite sudiju.
reg-automatic-draws = Kada se pozicija pojavi pet puta, ili oba igrača odigraju po 75 poteza bez uzimanja i poteza pešakom, sudija sam proglašava remi.
reg-offer = Remi se nudi ovako: odigrajte potez, ponudite remi i tek onda pritisnite sat.
reg-draw-one-move = Igrači mogu da se dogovore za remi kada je svaki odigrao bar jedan potez.
reg-draw-minimum = Dogovor o remiju nije dozvoljen pre nego što oba igrača odigraju { $n ->
    [one] { $n } potez
   *[other] { $n } poteza
}; to se ne odnosi na reklamacije po Pravilima.

reg-phones-approved = Telefoni i tableti koji na stolovima služe kao sat ili tabla pripadaju organizatoru i odobreni su ovim pravilnikom: koristite ih samo za svoju partiju.

reg-boards-all = Na svim stolovima su elektronske table.
reg-boards-none = Na stolovima nema elektronskih tabli.
reg-boards-at = Elektronske table su na stolovima { $tables }.
reg-screens-prove-nothing = Ono što prikazuju ekrani u sali namenjeno je gledaocima: samo na osnovu toga ne može se ništa reklamirati.
reg-hub-alerts = Sistem u sali javlja sudijama, i samo njima, pad zastavice, završen nemoguć potez, kašnjenje igrača, petokratno ponavljanje pozicije i pravilo 75 poteza.
reg-hub-is-silent = Igraču nikada ne govori da nije pritisnuo sat, koliko je poteza ostalo do vremenske kontrole, ni da bi mogao da reklamira remi. Ono što sami ne reklamirate može ostati neprimećeno.
reg-endings-at-once = Mat i pat se na ekranima prikazuju odmah.
reg-endings-later = Rezultat koji je sistem utvrdio prikazuje se na ekranima kada ga potvrdi sudija.

reg-house-none = Nema ih: sistem ni o čemu ne odlučuje, svaku odluku donosi sudija.
reg-house-some = Drugačije nego što ste možda navikli, sledeće se sprovodi odmah, po ovom pravilniku, bez čekanja na sudiju. Na svaku takvu odluku možete se žaliti sudiji.
house-illegal-move = Završeni nemogući potezi koje je zabeležila tabla: kazna se odmah izvršava, a posle drugog se partija završava.
house-flag = Pad zastavice u poslednjem periodu završava partiju.
house-default = Igrač upisan kao odsutan gubi partiju kada istekne vreme tolerancije.

reg-open-points = Neka pitanja Pravila ne rešavaju ili dopuštaju dvojako tumačenje. Na ovom turniru važi:
point-blitz-supervised-penalty-one-minute = Nemoguć potez ili neispravna reklamacija remija košta jedan minut.
point-blitz-supervised-penalty-two-minutes = Nemoguć potez ili neispravna reklamacija remija košta dva minuta.
point-en-passant-identity-legal = Pri ponavljanju pozicije uzimanje „en passant“ računa se samo ako bi bilo moguće.
point-en-passant-identity-any-capturer = Pri ponavljanju pozicije uzimanje „en passant“ računa se i kada je pešak vezan.
point-imposed-queen-ends-the-game = Ako dama koju sudija stavi umesto nepromovisanog pešaka daje mat ili pat, partija je završena.
point-imposed-queen-arbiter-decides = Ako dama koju sudija stavi umesto nepromovisanog pešaka daje mat ili pat, odlučuje sudija.
point-unpromoted-press-increment-taken-back = Ko pritisne sat sa nepromovisanim pešakom gubi dodatak od tog pritiska.
point-unpromoted-press-increment-kept = Ko pritisne sat sa nepromovisanim pešakom zadržava dodatak od tog pritiska.
point-unpunished-illegal-moves-do-not-count = Nemoguć potez koji niko nije na vreme reklamirao ni primetio ne računa se kao prvi.
point-unpunished-illegal-moves-count = Nemoguć potez koji niko nije na vreme reklamirao ni primetio ipak se računa kao prvi.
point-moving-out-of-turn-illegal-move = Dva poteza zaredom, ili potez kada niste na potezu, uz pritisak na sat, računaju se kao nemoguć potez.
point-moving-out-of-turn-arbiter-decides = Dva poteza zaredom, ili potez kada niste na potezu, ne računaju se kao nemoguć potez; sudija vraća poziciju i može da odredi kaznu.
point-alert-when-acknowledged = Upozorenje sistema važi kao sudijino zapažanje tek kada ga sudija preuzme.
point-alert-own-eyes-only = Upozorenje sistema ne važi kao sudijino zapažanje.
point-alert-at-once = Upozorenje sistema odmah važi kao sudijino zapažanje.
point-freeze-both-stand = Kada u poslednjem periodu padne zastavica, staju oba sata.
point-freeze-runs-on = Kada u poslednjem periodu padne zastavica, drugi sat radi dalje.
point-flag-during-irregularity-each-by-itself = Ako zastavica padne dok se rešava nemoguć potez, o njoj se odlučuje posebno.
point-flag-during-irregularity-irregularity-first = Ako zastavica padne dok se rešava nemoguć potez, prvo se odlučuje o potezu.
point-fivefold-and-mate-mate = Ako istim potezom nastanu mat i peto ponavljanje, važi mat.
point-fivefold-and-mate-fivefold = Ako istim potezom nastanu mat i peto ponavljanje, partija je remi.
point-void-claim-penalised = Reklamacija remija van poteza ili posle dodirivanja figure kažnjava se kao neispravna.
point-void-claim-refused = Reklamacija remija van poteza ili posle dodirivanja figure odbija se bez kazne.
point-unpressed-move-counts = Za pravilo pedeset poteza poslednji potez protivnika računa se i ako nije pritisnuo sat.
point-unpressed-move-waits = Za pravilo pedeset poteza poslednji potez protivnika računa se tek kada pritisne sat.
point-device-found-loss = Igrač u prostoru za igru ne sme kod sebe da ima telefon ni bilo koji drugi elektronski uređaj. Ako se kod njega nađe, gubi partiju, a protivnik dobija.
point-device-found-arbiter-decides = Igrač u prostoru za igru ne sme kod sebe da ima telefon ni bilo koji drugi elektronski uređaj. Ako se kod njega nađe, o kazni odlučuje sudija.
point-both-absent-white = Ako na početku nema nijednog igrača, teče vreme belog.
point-both-absent-nobody = Ako na početku nema nijednog igrača, nijedan sat ne radi dok jedan od njih ne dođe.
point-quickplay-finish-not-announced = Smernice za partije bez dodatka po potezu ne važe: pred istek vremena ne može se tražiti remi zato što protivnik ne pokušava da dobije.
point-quickplay-finish-announced = Važe Smernice za partije bez dodatka po potezu: kada vam ostane manje od dva minuta, možete da tražite remi ako protivnik ne može da dobije normalnim sredstvima ili to i ne pokušava. Ako padnu obe zastavice i ne zna se koja je pala prva, partija je remi.
point-quickplay-increment-claim-at-once = Remi se reklamira odmah; umesto toga se ne može tražiti dodatak po potezu.
point-quickplay-increment-asked-first = Umesto reklamacije najpre tražite da se obojici uvede dodatak od pet sekundi po potezu. Taj zahtev je i ponuda remija; ako protivnik odbije, a sudija se složi, protivnik dobija dodatno vreme i partija se nastavlja sa dodatkom.
point-quickplay-penalty-two-minutes = Kada se takva reklamacija odbije ili takav dodatak uvede, protivnik dobija još dva minuta.
point-quickplay-penalty-one-minute = Kada se takva reklamacija odbije ili takav dodatak uvede, protivnik dobija još jedan minut.

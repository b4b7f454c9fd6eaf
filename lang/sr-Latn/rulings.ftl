# Istorija odluka u partiji: po jedna rečenica, bez tačke.

ruled-nothing = potvrđeno; ništa se ne menja
ruled-wait = čeka se sledeći završeni potez
ruled-offence = nemoguć potez broj { $n }, { $by }
ruled-put-back = pozicija vraćena
ruled-queen = pešak na { $square } postaje dama
ruled-bound = { $by } je obavezan: { $bound }
ruled-end = partija završena { $result }: { $ending }
ruled-claim-refused = reklamacija remija odbijena ({ $by })
ruled-increment = zahtev je prihvaćen: od sada svaki potez oba igrača dodaje { $time-acc }
ruled-new-game = partija poništena, počinje nova
ruled-stop-clocks = satovi zaustavljeni radi ispravnog podešavanja
ruled-promoted = promovisana figura u polupotezu { $ply }: { $piece }
ruled-take-reading = važi vreme sa sata: beli { $white }, crni { $black }

deed-start = partija je počela
deed-pause = satovi su zaustavljeni
deed-resume = sat je ponovo pokrenut
deed-adjust = vreme na satovima promenjeno: { $times }
deed-time-set = { $side } postavljen na { $time }
deed-moves-done = { $n ->
    [one] završen { $n } potez
    [few] završena { $n } poteza
   *[other] završeno { $n } poteza
}
deed-confirm = potvrđeno
deed-dismiss = stavka { $number } je odbačena
deed-dismiss-oldest = najstarija stavka je odbačena
deed-observe = sudija je utvrdio: { $what }
deed-observe-of = sudija je utvrdio: { $what } ({ $by })
seen-two-hands = jedan potez obema rukama
deed-restore = vraćena je pozicija posle { $n ->
    [one] { $n } polupoteza
   *[other] { $n } polupoteza
}
deed-restore-fen = vraćena je pozicija: { $fen }
deed-warn = opomenut je { $by }
deed-give-time = { $foe } je dobio još { $time-acc }
deed-take-time = oduzeto vreme ({ $by }): { $time }
deed-loss = { $by-dat } je proglašen poraz
deed-result = unet je rezultat { $result }
deed-reopen = partija je ponovo otvorena
deed-note = upisana je beleška
deed-periods = postavljeni periodi: { $periods }
deed-period-of = { $side } u periodu { $n }
deed-mend = ispravljen polupotez { $ply } u zapisu: { $move }
deed-claimed-moves = podnosilac zahteva navodi poteze { $moves }
deed-mask = ono što tabla pokazuje na { $squares } ne uzima se u obzir
deed-mask-none = sva polja table se ponovo uzimaju u obzir
deed-without-board = partija se nastavlja bez table
deed-with-board = tabla se ponovo koristi
deed-appeal = žalba, podnosilac { $by }: { $statement }
deed-appeal-fee = žalba, podnosilac { $by }, taksa { $fee }: { $statement }
deed-appeal-statement = o žalbi { $number }, { $who }: { $statement }
deed-appeal-upheld = žalba { $number } je usvojena
deed-appeal-dismissed = žalba { $number } je odbijena
deed-appeal-withdrawn = žalba { $number } je povučena
deed-enter-move = unet je potez { $move }
deed-take = sudija rešava stavku { $number }
deed-present = { $by } je prisutan
deed-absent = { $by } je odsutan
